/* All of it together, for a program with one player. */
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
  /** That of a bot account (`rbt_…`), or an access token; without one, enter as a guest or sign in. */
  token?: string | undefined;
  /** Where the session is kept from one run to the next: `fileSession(path)` in Node.js, or `load` and `save` of your own. */
  session?: Omit<SessionOptions, 'url'> | undefined;
  /** How long a request may be tried again in all, ms. */
  patienceMs?: number;
}

/** A player: REST with tokens that are refreshed, requests that are patient. */
export class Player {
  readonly rest: Rest;
  private readonly session: SessionTokens;

  constructor(url: string, { token, session, patienceMs = 60_000 }: ClientOptions = {}) {
    this.session = new SessionTokens({ ...session, url });
    let tokens: AccessTokens = this.session;
    if (token) tokens = token.startsWith(BOT_TOKEN) ? new BotTokens(url, token) : givenToken(token);
    this.rest = createRest({ url, tokens, patienceMs });
  }

  /** Enters as a new guest, or by `device_secret` as the one whose device was given it. */
  async guest(body: Schemas['GuestRequest'] = {}): Promise<Schemas['Session']> {
    return this.keep(await need(this.rest.POST('/v1/auth/guest', { body })));
  }

  /** There is a session. Whether the server still takes it, the next request tells. */
  get signedIn(): boolean {
    return this.session.now() !== null;
  }

  /** Signs in to an account. `factorCode` is called for the code of the second factor, if the account has one; without it
   * such an account throws an ApiError with the code `second_factor_needed`. */
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

  /** Ends the session, here and at the server. */
  async signOut(): Promise<void> {
    const refresh_token = this.session.now()?.refresh;
    if (refresh_token) await need(this.rest.POST('/v1/auth/logout', { body: { refresh_token } }));
    this.session.drop();
  }

  /** From now on requests are made in this session. */
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
