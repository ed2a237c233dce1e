/* The languages of the page: the rows of languages.json, each with a message file in this folder, and the
 * languages for tests. scripts/bundle reads the same rows for the emails, whose default is the first row, and for the
 * contract. Menus list languages in the order of listed.ts. */
import languages from './languages.json';

export interface Locale {
  /** Name of the language in the language itself. */
  name: string;
  /** Written from right to left. */
  rtl?: boolean;
  /** Tags of unsupported languages whose readers can also read this one. */
  near?: readonly string[];
  /** Locale for plurals, numbers, and times, if the language's own tag has none. */
  formats?: string;
  /** Locale whose file it is derived from, by scripts/messages. */
  made?: string;
  /** For tests: hidden in menus. */
  pseudo?: boolean;
}

const PSEUDO = {
  'en-XA': { name: 'Accented', formats: 'en', made: 'en', pseudo: true },
  'ar-XB': { name: 'Mirrored', rtl: true, formats: 'en', made: 'en', pseudo: true },
};

/** A language that players can choose. An account has one of the same languages. */
export type Offered = keyof typeof languages;

export type LocaleTag = Offered | keyof typeof PSEUDO;

const LOCALES: Record<LocaleTag, Locale> = { ...languages, ...PSEUDO };

export const TAGS = Object.keys(LOCALES) as LocaleTag[];

export function localeOf(tag: LocaleTag): Locale {
  return LOCALES[tag];
}

/** Locale that Intl uses for the language's numbers, times, and lists. */
export function formatsOf(tag: LocaleTag): string {
  return localeOf(tag).formats ?? tag;
}

export const OFFERED = Object.keys(languages) as Offered[];

export function isTag(tag: unknown): tag is LocaleTag {
  return typeof tag === 'string' && Object.hasOwn(LOCALES, tag);
}

/** The first language of a list of tags, such as `navigator.languages`, that the page supports; English if
 * there is none. */
export function negotiate(wanted: readonly string[]): LocaleTag {
  for (const tag of wanted) {
    const found = spoken(tag);
    if (found) return found;
  }
  return 'en';
}

function spoken(tag: string): LocaleTag | undefined {
  let at: Intl.Locale;
  try {
    at = new Intl.Locale(tag);
  } catch {
    return undefined;
  }
  const byScript = `${at.language}-${at.script ?? ''}`;
  return (
    OFFERED.find((known) => known === byScript || known === at.language) ??
    OFFERED.find((known) => localeOf(known).near?.includes(at.language))
  );
}
