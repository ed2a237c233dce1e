/* The languages of the page, and the page's own texts, for tests that use it in another language. */
import { readFileSync } from 'node:fs';
import { LONG } from './harness.mjs';

const MESSAGES = new URL('../../../web/src/lib/messages/', import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, MESSAGES), 'utf8'));
const ROWS = read('languages');

/** Those of players, in the order of the menu. */
export const OFFERED = Object.keys(ROWS);

/** With those of tests: long words, and from right to left. */
export const LANGUAGES = [...OFFERED, 'en-XA', 'ar-XB'];

/** For tests that would take longer with each language: the widest, the tallest, and each alphabet; in the long form
 * all. */
export const SHOWN = LONG ? OFFERED : ['en', 'de', 'fr', 'hi', 'sr-Latn', 'sr-Cyrl'];

export const isFromRight = (language) => language === 'ar-XB' || Boolean(ROWS[language]?.rtl);

/** The texts in the file of this language, or of the one that it is made of; those of test languages have none. */
export const textsOf = (language) => (language in ROWS ? read(ROWS[language].made ?? language) : {});
