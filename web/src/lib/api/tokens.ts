/* The session's tokens, which are kept in the browser and refreshed once for all tabs. Tabs take turns (Web
 * Locks, where the browser has them). */
import { SessionTokens, type Tokens } from '@rummyd/client';
import { load, save } from './storage';

/** Storage key of the tokens. */
export const SESSION = 'session';

let ended: () => void = () => undefined;

/** `tell` is called when the server has ended the session. */
export function onSessionEnd(tell: () => void): void {
  ended = tell;
}

/** Browsers that block storage also refuse locks. In that case, no other tab has the same tokens. */
async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  let begun = false;
  const once = () => {
    begun = true;
    return work();
  };
  try {
    if ('locks' in navigator) return await navigator.locks.request('rummyd:refresh', once);
  } catch (error) {
    if (begun) throw error;
  }
  return work();
}

/** The last tokens of this tab, in case the browser loses its storage while the page is open because the
 * player clears the site's data or blocks storage. */
let last: Tokens | null = null;

/** Another tab has signed out. */
export function forgetTokens(): void {
  last = null;
}

export const tokens = new SessionTokens({
  url: '',
  load: () => (last = load<Tokens | null>(SESSION, null) ?? last),
  save: (kept) => {
    last = kept;
    save(SESSION, kept);
  },
  alone: oneTabAtATime,
  ended: () => ended(),
});
