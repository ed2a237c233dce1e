/* The page's own texts, for tests that use it in another language. */
import { readFileSync } from 'node:fs';

const MESSAGES = new URL('../../../web/src/lib/messages/', import.meta.url);

export const textsOf = (language) => JSON.parse(readFileSync(new URL(`${language}.json`, MESSAGES), 'utf8'));
