/* Requests that the first script sends while the other scripts load. When the page makes the same request
 * soon after, it gets this response. Each response is used once. */
import type { Tokens } from '@rummyd/client';
import { load } from './storage';

/** The page makes its request within this time, even on the slowest connection; a later response would be
 * stale. */
const EARLY_MS = 15_000;

interface Early {
  authorization: string;
  until: number;
  answer: Promise<Response>;
}
const asked = new Map<string, Early>();

const keyOf = (method: string, url: URL) => `${method} ${url.pathname}${url.search}`;

/** Only if the session's access token is valid long enough; other sessions renew their token first. */
export function askEarly(method: 'GET' | 'POST', path: string, headers: Record<string, string> = {}): void {
  const tokens = load<Tokens | null>('session', null);
  if (!tokens || Date.now() >= tokens.renewAt) return;
  const authorization = `Bearer ${tokens.access}`;
  const answer = fetch(path, { method, headers: { ...headers, Authorization: authorization } });
  answer.catch(() => undefined); // the code that takes it handles the error
  const key = keyOf(method, new URL(path, location.origin));
  asked.set(key, { authorization, until: performance.now() + EARLY_MS, answer });
}

/** Same signature as `fetch`. */
export function sendOrTakeEarly(request: Request): Promise<Response> {
  const key = keyOf(request.method, new URL(request.url));
  const early = asked.get(key);
  asked.delete(key);
  const isTheSame = early?.authorization === request.headers.get('Authorization');
  if (!early || !isTheSame || performance.now() > early.until) return fetch(request);
  return early.answer.catch(() => fetch(request));
}
