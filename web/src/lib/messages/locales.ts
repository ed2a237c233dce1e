/* The languages of the page. One of them is a file of messages beside this one; `made` ones are made of another's file by
 * scripts/messages. Languages call themselves by their own names. */

export interface Locale {
  name: string;
  dir: 'ltr' | 'rtl';
  /** Whose plurals, numbers and times it has, where its own tag says nothing of them. */
  formats?: string;
  /** The locale whose file it is made of. */
  made?: string;
  /** For tests: chosen by nobody, shown in no menu. */
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

/** What Intl formats its numbers, times and lists by. */
export function formatsOf(tag: LocaleTag): string {
  return localeOf(tag).formats ?? tag;
}

/** One of those that people choose from, which are the languages of an account, too. */
export type Offered = {
  [Tag in LocaleTag]: (typeof LOCALES)[Tag] extends { pseudo: true } ? never : Tag;
}[LocaleTag];

export const OFFERED = TAGS.filter((tag): tag is Offered => !localeOf(tag).pseudo);

export function isTag(tag: unknown): tag is LocaleTag {
  return typeof tag === 'string' && Object.hasOwn(LOCALES, tag);
}

/** The first language of a list of tags, as `navigator.languages`, that the page speaks; English when it speaks none. */
export function negotiate(wanted: readonly string[]): LocaleTag {
  for (const tag of wanted) {
    const found = spoken(tag);
    if (found) return found;
  }
  return 'en';
}

/* Serbian, and what its readers read, without a script: most of them write Latin letters on the web. */
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
