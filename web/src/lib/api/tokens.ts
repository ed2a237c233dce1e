/* The session's tokens: kept in the browser, refreshed once for all tabs. Tabs take turns (Web Locks, where the browser
 * has them). */
import { SessionTokens, type Tokens } from '@rummyd/client';
import { load, save } from './storage';

const KEY = 'session';

let ended: () => void = () => undefined;

/** `tell` is called when the server no longer knows the session. */
export function onSessionEnd(tell: () => void): void {
  ended = tell;
}

async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('rummyd:refresh', work) : work();
}

export const tokens = new SessionTokens({
  url: '',
  load: () => load<Tokens | null>(KEY, null),
  save: (kept) => save(KEY, kept),
  alone: oneTabAtATime,
  ended: () => ended(),
});
