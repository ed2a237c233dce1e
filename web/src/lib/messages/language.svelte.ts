/* The language of the page: its texts, which are loaded only when the language is chosen, and <html lang
 * dir>. A template or $derived that reads `language` updates when it changes. */
import { formatsOf, localeOf, type LocaleTag } from './locales';
import type { Catalog, Message, Part } from './catalog';
import { part } from '$lib/parts/parts.svelte';
import { fetchTexts } from 'virtual:messages/catalogs';

type Fetching = <T>(load: () => Promise<T>) => Promise<T>;

/** In the order in which they are needed. */
const PARTS: readonly Part[] = ['entrance', 'first', 'later'];

const partsOf = (tag: LocaleTag, parts: readonly Part[], fetched: Fetching): Promise<Catalog[]> =>
  Promise.all(parts.map(async (name) => (await fetched(() => fetchTexts(tag, name))).default));

class Language {
  #tag = $state<LocaleTag>('en');
  /** One catalog per loaded part. */
  #catalogs = $state.raw<readonly Catalog[]>([]);
  #asked: LocaleTag = 'en';
  #wanted = 1;

  get tag(): LocaleTag {
    return this.#tag;
  }

  /** Locale that Intl uses for numbers, times, and lists. */
  get formats(): string {
    return formatsOf(this.#tag);
  }

  /** Whether a missing text may still be loading. */
  get awaits(): boolean {
    return this.#catalogs.length < PARTS.length;
  }

  message(key: string): Message | undefined {
    for (const catalog of this.#catalogs) if (Object.hasOwn(catalog, key)) return catalog[key];
    return undefined;
  }

  /** Switches to this language. If there are two calls, the later one counts. The page keeps its language
   * until the new catalog arrives; `fetched` may retry loading it. Resolves to whether the page has
   * switched; rejects if the catalog cannot be fetched. */
  async speak(tag: LocaleTag, fetched: Fetching = (load) => load()): Promise<boolean> {
    this.#asked = tag;
    const catalogs = await partsOf(tag, PARTS.slice(0, this.#wanted), fetched);
    if (this.#asked !== tag) return false;
    this.#catalogs = catalogs;
    this.#tag = tag;
    if (typeof document !== 'undefined') {
      document.documentElement.lang = tag;
      document.documentElement.dir = localeOf(tag).rtl ? 'rtl' : 'ltr';
    }
    await this.complete();
    return true;
  }

  /** From now on, loads all texts of this language and of those chosen later. */
  async all(): Promise<void> {
    await this.want(PARTS.length);
  }

  /** The same for the texts that the lobby and a table need before the first click. */
  async inside(): Promise<void> {
    await this.want(PARTS.indexOf('first') + 1);
  }

  private async want(parts: number): Promise<void> {
    this.#wanted = Math.max(this.#wanted, parts);
    await this.complete();
  }

  /** Until the first language has been loaded, there is nothing to complete: it is loaded with all
   * requested parts. */
  private async complete(): Promise<void> {
    const here = this.#catalogs.length;
    if (here === 0 || here >= this.#wanted) return;
    const tag = this.#tag;
    const more = await partsOf(tag, PARTS.slice(here, this.#wanted), part);
    if (this.#tag === tag && this.#catalogs.length === here) this.#catalogs = [...this.#catalogs, ...more];
    await this.complete();
  }
}

export const language = new Language();
