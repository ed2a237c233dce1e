/* The session's tokens: kept in the browser, refreshed once for all tabs. A refresh token works once, and its use
 * after that ends the session; so tabs take turns (Web Locks, where the browser has them). The server lets it come again
 * for some seconds, in case its answer was lost. */
import { load, save } from './storage';

export interface Tokens {
  access: string;
  /** When to fetch a new access token, ms since 1970. */
  renewAt: number;
  refresh: string;
}
export interface TokenAnswer {
  access_token: string;
  expires_in: number;
  refresh_token: string;
}

const KEY = 'session';
/** An access token is renewed when less than this is left of it. */
const RENEW_BEFORE_MS = 60_000;
const AGAIN_MS = [500, 2000];

export function keepTokens(answer: TokenAnswer): void {
  const renewAt = Date.now() + answer.expires_in * 1000 - RENEW_BEFORE_MS;
  save(KEY, { access: answer.access_token, renewAt, refresh: answer.refresh_token });
}

export function dropTokens(): void {
  save(KEY, null);
}

let ended: () => void = () => undefined;

/** `tell` is called when the server no longer knows the session. */
export function onSessionEnd(tell: () => void): void {
  ended = tell;
}

export function tokens(): Tokens | null {
  return load<Tokens | null>(KEY, null);
}

async function oneTabAtATime<T>(work: () => Promise<T>): Promise<T> {
  return 'locks' in navigator ? navigator.locks.request('rummyd:refresh', work) : work();
}

/** Asked again when no answer comes, as long as the server takes the same token. */
async function ask(refresh: string): Promise<Response> {
  for (const wait of AGAIN_MS) {
    try {
      return await post(refresh);
    } catch {
      await new Promise((done) => setTimeout(done, wait));
    }
  }
  return post(refresh);
}

function post(refresh: string): Promise<Response> {
  return fetch('/v1/auth/refresh', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ refresh_token: refresh }),
  });
}

async function renew(refused: string | null): Promise<string | null> {
  const now = tokens();
  if (!now) return null;
  const stale = now.access === refused || Date.now() >= now.renewAt;
  if (!stale) return now.access; /* another tab was quicker */
  const response = await ask(now.refresh);
  if (response.status === 401) {
    dropTokens();
    ended();
    return null;
  }
  if (!response.ok) throw new Error(`refresh answered ${response.status}`);
  const answer = (await response.json()) as TokenAnswer;
  keepTokens(answer);
  return answer.access_token;
}

let running: Promise<string | null> | null = null;

/** A good access token, or null when there is no session. `refused`: the one the server just rejected. */
export async function accessToken(refused: string | null = null): Promise<string | null> {
  const now = tokens();
  if (!now) return null;
  if (now.access !== refused && Date.now() < now.renewAt) return now.access;
  running ??= oneTabAtATime(() => renew(refused)).finally(() => {
    running = null;
  });
  return running;
}
