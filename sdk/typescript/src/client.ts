/* All of it together, for a program with one player. */
import type { components } from './gen/rest.js';
import { createRest, idempotencyKey, need, type Rest } from './rest.js';
import { BOT_TOKEN, BotTokens, givenToken, SessionTokens, type AccessTokens } from './tokens.js';

type Schemas = components['schemas'];

export interface ClientOptions {
  /** That of a bot account (`rbt_…`), or an access token; without one, enter as a guest or sign in. */
  token?: string | undefined;
  /** How long a request may be tried again in all, ms. */
  patienceMs?: number;
}

/** A player: REST with tokens that are refreshed, requests that are patient. */
export class Player {
  readonly rest: Rest;
  private readonly session: SessionTokens;

  constructor(url: string, { token, patienceMs = 60_000 }: ClientOptions = {}) {
    this.session = new SessionTokens({ url });
    let tokens: AccessTokens = this.session;
    if (token) tokens = token.startsWith(BOT_TOKEN) ? new BotTokens(url, token) : givenToken(token);
    this.rest = createRest({ url, tokens, patienceMs });
  }

  /** Enters as a new guest, or by `device_secret` as the one whose device was given it. */
  async guest(body: Schemas['GuestRequest'] = {}): Promise<Schemas['Session']> {
    return this.keep(await need(this.rest.POST('/v1/auth/guest', { body })));
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
