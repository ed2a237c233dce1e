/* Language of the page at startup. Small, because it runs before the page's scripts are loaded. */
import { load } from './api/storage';
import { isTag, negotiate, type LocaleTag } from './messages/locales';

/** Storage keys for the language chosen in this browser and for the signed-in account's language. */
export const CHOSEN = 'language';
export const OF_ACCOUNT = 'account_language';

/** The language chosen in this browser, otherwise the account's, otherwise the first of the browser's
 * languages that the page supports. */
export function spoken(): LocaleTag {
  return (
    [CHOSEN, OF_ACCOUNT].map((key) => load<unknown>(key, null)).find(isTag) ?? negotiate(navigator.languages)
  );
}
