/* Access tokens: those of a session, which are refreshed, or one that was given. A refresh token works once, and its use
 * after that ends the session; so whoever shares a store takes turns. The server lets it come again for some seconds,
 * in case its answer was lost. */

import { ApiError, type Problem } from './problem.js';

/** An address to which paths are appended. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Where requests get their token. */
export interface AccessTokens {
  /** A good access token, or null when there is none. `refused`: the one the server just rejected. */
  access(refused?: string | null): Promise<string | null>;
}

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

export interface SessionOptions {
  /** The server, as `http://localhost:8080`; '' in a page of its own. */
  url: string;
  /** Where the tokens are kept; in memory if nobody says. */
  load?(): Tokens | null;
  save?(tokens: Tokens | null): void;
  /** Does the work while nobody else who shares the store does theirs. */
  alone?<T>(work: () => Promise<T>): Promise<T>;
  /** Told when the server no longer knows the session. */
  ended?(): void;
}

/** An access token is renewed when less than this is left of it. */
const RENEW_BEFORE_MS = 60_000;
const AGAIN_MS = [500, 2000];
/** How a refresh is answered when the session is over: the token is refused, or the account is banned. */
const ENDED = [401, 403];

export class SessionTokens implements AccessTokens {
  private kept: Tokens | null = null;
  private running: Promise<string | null> | null = null;

  constructor(private readonly options: SessionOptions) {}

  /** What there is. */
  now(): Tokens | null {
    return this.options.load ? this.options.load() : this.kept;
  }

  keep(answer: TokenAnswer): void {
    const renewAt = Date.now() + answer.expires_in * 1000 - RENEW_BEFORE_MS;
    this.store({ access: answer.access_token, renewAt, refresh: answer.refresh_token });
  }

  drop(): void {
    this.store(null);
  }

  async access(refused: string | null = null): Promise<string | null> {
    const now = this.now();
    if (!now) return null;
    if (now.access !== refused && Date.now() < now.renewAt) return now.access;
    const renew = () => this.renew(refused);
    this.running ??= (this.options.alone?.(renew) ?? renew()).finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private store(tokens: Tokens | null): void {
    this.kept = tokens;
    this.options.save?.(tokens);
  }

  private async renew(refused: string | null): Promise<string | null> {
    const now = this.now();
    if (!now) return null;
    const stale = now.access === refused || Date.now() >= now.renewAt;
    if (!stale) return now.access; /* somebody else was quicker */
    const response = await this.ask(now.refresh);
    if (ENDED.includes(response.status)) {
      this.drop();
      this.options.ended?.();
      return null;
    }
    if (!response.ok) throw new Error(`refresh answered ${response.status}`);
    const answer = (await response.json()) as TokenAnswer;
    this.keep(answer);
    return answer.access_token;
  }

  /** Asked again when no answer comes, as long as the server takes the same token. */
  private async ask(refresh: string): Promise<Response> {
    for (const wait of AGAIN_MS) {
      try {
        return await this.post(refresh);
      } catch {
        await new Promise((done) => setTimeout(done, wait));
      }
    }
    return this.post(refresh);
  }

  private post(refresh: string): Promise<Response> {
    return fetch(`${withoutSlash(this.options.url)}/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ refresh_token: refresh }),
    });
  }
}

/** How the token of a bot account begins. */
export const BOT_TOKEN = 'rbt_';

/** Access tokens for the token of a bot account, asked for in time and once for all who want one. */
export class BotTokens implements AccessTokens {
  private kept: { access: string; renewAt: number } | null = null;
  private running: Promise<string> | null = null;

  constructor(
    private readonly url: string,
    private readonly token: string,
  ) {}

  async access(refused: string | null = null): Promise<string | null> {
    const kept = this.kept;
    if (kept && kept.access !== refused && Date.now() < kept.renewAt) return kept.access;
    this.running ??= this.enter().finally(() => {
      this.running = null;
    });
    return this.running;
  }

  private async enter(): Promise<string> {
    const response = await fetch(`${withoutSlash(this.url)}/v1/auth/token`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ token: this.token }),
    });
    if (!response.ok) throw new ApiError((await response.json()) as Partial<Problem>, response.status);
    const answer = (await response.json()) as Pick<TokenAnswer, 'access_token' | 'expires_in'>;
    const renewAt = Date.now() + answer.expires_in * 1000 - RENEW_BEFORE_MS;
    this.kept = { access: answer.access_token, renewAt };
    return answer.access_token;
  }
}

/** One access token, which nobody renews. */
export function givenToken(token: string): AccessTokens {
  return { access: async (refused) => (refused === token ? null : token) };
}
