/* Access tokens: those of a session, which are refreshed, or a fixed one. A refresh token can be used only
 * once, and reuse ends the session, so users of the same store take turns. The server accepts a repeated
 * token for a few seconds, in case its response was lost. */

import { ApiError, type Problem } from './problem.js';

/** A URL to which paths are appended. */
export const withoutSlash = (url: string): string => url.replace(/\/+$/, '');

/** Source of tokens for requests. */
export interface AccessTokens {
  /** A valid access token, or null if there is none. `refused`: the token that the server has just
   * rejected. */
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
  /** URL of the server, such as `http://localhost:8080`; '' for the page's own origin. */
  url: string;
  /** Where the tokens are stored; in memory by default. */
  load?(): Tokens | null;
  save?(tokens: Tokens | null): void;
  /** Runs the work exclusively among all users of the store. */
  alone?<T>(work: () => Promise<T>): Promise<T>;
  /** Called when the server no longer accepts the session. */
  ended?(): void;
}

/** An access token is renewed when it expires sooner than this. */
const RENEW_BEFORE_MS = 60_000;
const AGAIN_MS = [500, 2000];
/** Responses to a refresh when the session has ended: the token is rejected, or the account is banned. */
const ENDED = [401, 403];

export class SessionTokens implements AccessTokens {
  private kept: Tokens | null = null;
  private running: Promise<string | null> | null = null;

  constructor(private readonly options: SessionOptions) {}

  /** The current tokens. */
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
    if (!stale) return now.access; /* another tab was faster */
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

  /** Retries if there is no response, as long as the server accepts the same token again. */
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

/** Prefix of a bot account's token. */
export const BOT_TOKEN = 'rbt_';

/** Access tokens for a bot account's token, requested before they are needed and once for all concurrent
 * callers. */
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

/** One access token, which is never renewed. */
export function givenToken(token: string): AccessTokens {
  return { access: async (refused) => (refused === token ? null : token) };
}
