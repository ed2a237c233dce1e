/* The language of the page: its sentences, fetched when it is chosen and not before, and <html lang dir>. Whoever reads
 * `language` in a template or a $derived is shown anew in the next language. */
import { formatsOf, localeOf, type LocaleTag } from './locales';
import type { Catalog, Message } from './catalog';
import { CATALOGS } from './catalogs';

const NONE: Catalog = {};

/** NONE: they could not be fetched. */
async function laterOf(tag: LocaleTag): Promise<Catalog> {
  try {
    return (await CATALOGS[tag].later()).default;
  } catch {
    return NONE;
  }
}

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

  /** Speaks this language from now on; of two calls the later one counts. Rejects when its catalog cannot be fetched, and
   * the page stays as it is. */
  async speak(tag: LocaleTag): Promise<void> {
    this.#asked = tag;
    const [{ default: first }, later] = await Promise.all([
      CATALOGS[tag].first(),
      this.#wantsAll ? laterOf(tag) : null,
    ]);
    if (this.#asked !== tag) return;
    this.#first = first;
    this.#later = later;
    this.#tag = tag;
    if (typeof document !== 'undefined') {
      document.documentElement.lang = tag;
      document.documentElement.dir = localeOf(tag).dir;
    }
    if (this.#wantsAll) await this.all();
  }

  /** Has all sentences from now on, in this language and the next ones. Where some cannot be fetched, the next call tries
   * again. */
  async all(): Promise<void> {
    this.#wantsAll = true;
    if (this.#first === NONE || (this.#later !== null && this.#later !== NONE)) return;
    const tag = this.#tag;
    const later = await laterOf(tag);
    if (this.#tag === tag) this.#later = later;
  }
}

export const language = new Language();
