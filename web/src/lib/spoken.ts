/* Which language the page speaks when it begins. Small: it is asked before the scripts of the page are here. */
import { load } from './api/storage';
import { isTag, negotiate, type LocaleTag } from './messages/locales';

/** Under these keys is kept what was chosen in this browser, and what the account that is signed in has. */
export const CHOSEN = 'language';
export const OF_ACCOUNT = 'account_language';

/** The one chosen here once, or else the account's, or the first of the browser's that the page has. */
export function spoken(): LocaleTag {
  return (
    [CHOSEN, OF_ACCOUNT].map((key) => load<unknown>(key, null)).find(isTag) ?? negotiate(navigator.languages)
  );
}
