/* The order in which languages are listed for readers, apart from locales.ts, which the page's first script contains. */
import { localeOf, OFFERED } from './locales';

/* The same order for every reader: Latin names first, then Cyrillic, then the scripts of India. A collator of another
 * language might put its own script first. */
const { compare } = new Intl.Collator('en');

/** By their own names. */
export const LISTED = [...OFFERED].sort((one, other) => compare(localeOf(one).name, localeOf(other).name));
