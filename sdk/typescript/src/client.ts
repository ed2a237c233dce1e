/* All parts together, for a program with one player. */
import type { components } from './gen/rest.js';
import { ApiError } from './problem.js';
import { createRest, idempotencyKey, need, type Rest } from './rest.js';
import {
  BOT_TOKEN,
  BotTokens,
  givenToken,
  SessionTokens,
  type AccessTokens,
  type SessionOptions,
} from './tokens.js';

type Schemas = components['schemas'];

export interface ClientOptions {
  /** A bot account's token (`rbt_…`), or an access token; without one, enter as a guest or sign in. */
  token?: string | undefined;
  /** Where the session is stored between runs: `fileSession(path)` in Node.js, or your own `load` and
   * `save`. */
  session?: Omit<SessionOptions, 'url'> | undefined;
  /** Total time for retries of a request, in ms. */
  patienceMs?: number;
}

/** A player: REST with token refresh and retries. */
export class Player {
  readonly rest: Rest;
  private readonly session: SessionTokens;

  constructor(url: string, { token, session, patienceMs = 60_000 }: ClientOptions = {}) {
    this.session = new SessionTokens({ ...session, url });
    let tokens: AccessTokens = this.session;
    if (token) tokens = token.startsWith(BOT_TOKEN) ? new BotTokens(url, token) : givenToken(token);
    this.rest = createRest({ url, tokens, patienceMs });
  }

  /** Enters as a new guest, or with `device_secret` as the guest of that device. */
  async guest(body: Schemas['GuestRequest'] = {}): Promise<Schemas['Session']> {
    return this.keep(await need(this.rest.POST('/v1/auth/guest', { body })));
  }

  /** Whether there is a session. Only the next request shows whether it is still valid. */
  get signedIn(): boolean {
    return this.session.now() !== null;
  }

  /** Signs in to an account. `factorCode` is called for the second-factor code, if the account has one.
   * Without it, signing in to such an account throws an ApiError with the code `second_factor_needed`. */
  async signIn(
    body: Schemas['LoginRequest'],
    factorCode?: () => string | Promise<string>,
  ): Promise<Schemas['Session']> {
    try {
      return this.keep(await need(this.rest.POST('/v1/auth/login', { body })));
    } catch (error) {
      if (!(error instanceof ApiError) || !error.challenge || !factorCode) throw error;
      const answer = { challenge: error.challenge, factor_code: await factorCode() };
      return this.keep(await need(this.rest.POST('/v1/auth/login/factor', { body: answer })));
    }
  }

  /** Ends the session, here and on the server. */
  async signOut(): Promise<void> {
    const refresh_token = this.session.now()?.refresh;
    if (refresh_token) await need(this.rest.POST('/v1/auth/logout', { body: { refresh_token } }));
    this.session.drop();
  }

  /** Uses this session for all further requests. */
  keep(session: Schemas['Session']): Schemas['Session'] {
    this.session.keep(session);
    return session;
  }

  async takeSeat(room: string): Promise<Schemas['Seat']> {
    const params = { path: { room }, header: idempotencyKey() };
    return need(this.rest.POST('/v1/rooms/{room}/seats', { params }));
  }

  async openTable(body: Schemas['TableRequest']): Promise<Schemas['Seat']> {
    return need(this.rest.POST('/v1/tables', { params: { header: idempotencyKey() }, body }));
  }
}
