/* The session's tokens: kept in the browser, refreshed once for all tabs. Tabs take turns (Web Locks, where the browser
 * has them). */
import { SessionTokens, type Tokens } from '@rummyd/client';
import { load, save } from './storage';

/** Their storage keys. */
export const SESSION = 'session';

let ended: () => void = () => undefined;

/** `tell` is called when the server no longer knows the session. */
export function onSessionEnd(tell: () => void): void {
  ended = tell;
}

/** Browsers that block storage also refuse locks; then no other tab has the same tokens. */
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

export const tokens = new SessionTokens({
  url: '',
  load: () => load<Tokens | null>(SESSION, null),
  save: (kept) => save(SESSION, kept),
  alone: oneTabAtATime,
  ended: () => ended(),
});
