/* The languages of the page, and the page's own texts, for tests that use it in another language. */
import { readFileSync } from 'node:fs';
import { LONG } from './harness.mjs';

const MESSAGES = new URL('../../../web/src/lib/messages/', import.meta.url);
const read = (name) => JSON.parse(readFileSync(new URL(`${name}.json`, MESSAGES), 'utf8'));
const ROWS = read('languages');

/** Languages that players can choose, in the order of their rows. */
export const OFFERED = Object.keys(ROWS);

/** Also the test languages: one with long words, one written from right to left. */
export const LANGUAGES = [...OFFERED, 'en-XA', 'ar-XB'];

/** For tests whose duration grows with each language: the widest, the tallest, and one per alphabet; in the
 * long form all. */
export const SHOWN = LONG ? OFFERED : ['en', 'de', 'fr', 'hi', 'sr-Latn', 'sr-Cyrl'];

export const isFromRight = (language) => language === 'ar-XB' || Boolean(ROWS[language]?.rtl);

/** The texts from the file of this language, or of the language that it is generated from. Test languages
 * have no file. */
export const textsOf = (language) => (language in ROWS ? read(ROWS[language].made ?? language) : {});
