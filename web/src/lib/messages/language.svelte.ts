/* The language of the page: its sentences, fetched when it is chosen and not before, and <html lang dir>. Whoever reads
 * `language` in a template or a $derived is shown anew in the next language. */
import { formatsOf, localeOf, type LocaleTag } from './locales';
import type { Catalog, Message } from './catalog';
import { CATALOGS } from './catalogs';
import { part } from '$lib/parts/parts.svelte';

const NONE: Catalog = {};

const laterOf = async (tag: LocaleTag): Promise<Catalog> => (await part(CATALOGS[tag].later)).default;

class Language {
  #tag = $state<LocaleTag>('en');
  #first = $state.raw<Catalog>(NONE);
  /** null: not here yet. */
  #later = $state.raw<Catalog | null>(null);
  #asked: LocaleTag = 'en';
  #wantsAll = false;

  get tag(): LocaleTag {
    return this.#tag;
  }

  /** What Intl formats numbers, times and lists by. */
  get formats(): string {
    return formatsOf(this.#tag);
  }

  /** Whether a sentence that is not here may be among those that still come. */
  get awaits(): boolean {
    return this.#later === null;
  }

  message(key: string): Message | undefined {
    return this.#first[key] ?? this.#later?.[key];
  }

  /** Switches to this language; of two calls the later one counts. Until its catalog arrives, which `fetched` may retry, the
   * page keeps its language. Resolves to whether the page has switched; rejects when the catalog cannot be fetched. */
  async speak(
    tag: LocaleTag,
    fetched: <T>(load: () => Promise<T>) => Promise<T> = (load) => load(),
  ): Promise<boolean> {
    this.#asked = tag;
    const [{ default: first }, later] = await Promise.all([
      fetched(CATALOGS[tag].first),
      this.#wantsAll ? laterOf(tag) : null,
    ]);
    if (this.#asked !== tag) return false;
    this.#first = first;
    this.#later = later;
    this.#tag = tag;
    if (typeof document !== 'undefined') {
      document.documentElement.lang = tag;
      document.documentElement.dir = localeOf(tag).dir;
    }
    if (this.#wantsAll) await this.all();
    return true;
  }

  /** Loads all sentences from now on, in this language and the next ones. */
  async all(): Promise<void> {
    this.#wantsAll = true;
    if (this.#first === NONE || this.#later !== null) return;
    const tag = this.#tag;
    const later = await laterOf(tag);
    if (this.#tag === tag) this.#later = later;
  }
}

export const language = new Language();
