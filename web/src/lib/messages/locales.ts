/* The languages of the page. Each has a file of messages in this folder; `made` ones are derived from another
 * language's file by scripts/messages. Languages are listed by their own names. */

export interface Locale {
  name: string;
  dir: 'ltr' | 'rtl';
  /** Locale for plurals, numbers, and times, if the language's own tag has none. */
  formats?: string;
  /** Locale whose file it is derived from. */
  made?: string;
  /** For tests: hidden in menus. */
  pseudo?: true;
}

export const LOCALES = {
  en: { name: 'English', dir: 'ltr' },
  de: { name: 'Deutsch', dir: 'ltr' },
  fr: { name: 'Français', dir: 'ltr' },
  hi: { name: 'हिन्दी', dir: 'ltr' },
  'sr-Latn': { name: 'Srpski', dir: 'ltr' },
  'sr-Cyrl': { name: 'Српски', dir: 'ltr', made: 'sr-Latn' },
  'en-XA': { name: 'Accented', dir: 'ltr', formats: 'en', made: 'en', pseudo: true },
  'ar-XB': { name: 'Mirrored', dir: 'rtl', formats: 'en', made: 'en', pseudo: true },
} as const satisfies Record<string, Locale>;

export type LocaleTag = keyof typeof LOCALES;

export const TAGS = Object.keys(LOCALES) as LocaleTag[];

export function localeOf(tag: LocaleTag): Locale {
  return LOCALES[tag];
}

/** Locale that Intl uses for its numbers, times, and lists. */
export function formatsOf(tag: LocaleTag): string {
  return localeOf(tag).formats ?? tag;
}

/** A language that players can choose, which are the languages of an account, too. */
export type Offered = {
  [Tag in LocaleTag]: (typeof LOCALES)[Tag] extends { pseudo: true } ? never : Tag;
}[LocaleTag];

export const OFFERED = TAGS.filter((tag): tag is Offered => !localeOf(tag).pseudo);

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

/* Serbian, or a language of its readers, without a script: most of them use the Latin alphabet on the web. */
export const NEAR: Record<string, LocaleTag> = {
  sr: 'sr-Latn',
  bs: 'sr-Latn',
  hr: 'sr-Latn',
  cnr: 'sr-Latn',
  sh: 'sr-Latn',
};

function spoken(tag: string): LocaleTag | undefined {
  let at: Intl.Locale;
  try {
    at = new Intl.Locale(tag);
  } catch {
    return undefined;
  }
  const byScript = `${at.language}-${at.script ?? ''}`;
  return OFFERED.find((known) => known === byScript || known === at.language) ?? NEAR[at.language];
}
