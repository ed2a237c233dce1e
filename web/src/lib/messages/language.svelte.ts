/* The language of the page: its catalog, fetched when it is chosen and not before, and <html lang dir>. Whoever reads
 * `language` in a template or a $derived is shown anew in the next language. */
import { localeOf, type LocaleTag } from './locales';
import type { Catalog } from './catalog';
import { CATALOGS } from './catalogs';

class Language {
  #tag = $state<LocaleTag>('en');
  #catalog = $state.raw<Catalog>({});
  #asked: LocaleTag = 'en';

  get tag(): LocaleTag {
    return this.#tag;
  }

  get catalog(): Catalog {
    return this.#catalog;
  }

  /** What Intl formats numbers, times and lists by. */
  get formats(): string {
    return localeOf(this.#tag).formats ?? this.#tag;
  }

  /** Speaks this language from now on; of two calls the later one counts. Rejects when its catalog cannot be fetched, and
   * the page stays as it is. */
  async speak(tag: LocaleTag): Promise<void> {
    this.#asked = tag;
    const { default: catalog } = await CATALOGS[tag]();
    if (this.#asked !== tag) return;
    this.#catalog = catalog;
    this.#tag = tag;
    if (typeof document === 'undefined') return;
    document.documentElement.lang = tag;
    document.documentElement.dir = localeOf(tag).dir;
  }
}

export const language = new Language();
