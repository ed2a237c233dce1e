/* The message files and the generated ones: src/lib/messages/<locale>.json, key → sentence in ICU
 * MessageFormat. English is the source and the fallback for missing messages. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { localeOf, type LocaleTag } from '../../src/lib/messages/locales';
import { cyrillic } from './cyrillic';
import { accented, mirrored } from './pseudo';
import { rewritten } from './sentence';

export type Sentences = Record<string, string>;

const FOLDER = fileURLToPath(new URL('../../src/lib/messages/', import.meta.url));
const CHANGES: Partial<Record<LocaleTag, (text: string) => string>> = {
  'sr-Cyrl': cyrillic,
  'en-XA': accented,
  'ar-XB': mirrored,
};

/** Messages of the operators' page. They exist only in English and are not loaded by the players' page. */
export const ADMIN_FILE = fileURLToPath(new URL('../../src/admin/messages/en.json', import.meta.url));

export function ofOperators(): Sentences {
  return JSON.parse(readFileSync(ADMIN_FILE, 'utf8')) as Sentences;
}

/** The file from which a locale is read. */
export function fileOf(tag: LocaleTag): string {
  return `${FOLDER}${localeOf(tag).made ?? tag}.json`;
}

/** The messages in the locale's own file. */
export function written(tag: LocaleTag): Sentences {
  return JSON.parse(readFileSync(fileOf(tag), 'utf8')) as Sentences;
}

/** Every message in this language. */
export function sentencesOf(tag: LocaleTag): Sentences {
  const own = written(tag);
  const change = CHANGES[tag];
  const changed = change
    ? Object.fromEntries(Object.entries(own).map(([key, message]) => [key, rewritten(message, change)]))
    : own;
  return { ...written('en'), ...changed };
}
