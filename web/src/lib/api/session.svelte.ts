/* The signed-in player and their purses, for every page. */
import {
  api,
  ApiError,
  need,
  type Deletion,
  type Export,
  type GuestRequest,
  type Me,
  type MeChange,
  type Session,
  type Wallet,
} from './client';
import { say } from '$lib/messages/messages';
import { part } from '$lib/parts/parts.svelte';
import { isOutage } from './problem';
import { keepFlow, type Back, type Flow } from './provider';
import { keyOf, load, prune, save } from './storage';
import { forgetTokens, onSessionEnd, SESSION, tokens } from './tokens';

/** Storage key of the secret with which this device returns as the same guest. */
const DEVICE = 'device_secret';

/** The purses, including a daily bonus that became due during the session. */
async function purses(): Promise<Wallet> {
  const wallet = await need(api.GET('/v1/wallet'));
  return wallet.bonus.due ? need(api.POST('/v1/wallet/daily-bonus')) : wallet;
}

/** The kind of account signed in here, and how the last session ended: see `lapsed`. */
const KIND = 'account_kind';
const LAPSED = 'session_lapsed';
type Kind = Me['kind'];

/** How long loaded data counts as fresh. */
const FRESH_MS = 3000;

const DEVICE_TOKEN = 'device_token';

/** The password entered again, and the second-factor code; '' if there is none. */
export interface Proof {
  password: string;
  code: string;
}

/** Retry delay while the server is unreachable. */
const AGAIN_MS = 1000;

class SessionState {
  me = $state<Me | null>(null);
  wallet = $state<Wallet | null>(null);
  /** Whether the stored session has been checked. */
  ready = $state(false);
  /** The check failed because no server is reachable. It will be retried. */
  unreached = $state(false);
  /** The kind of account whose session the server ended, until someone signs in again; null if there was no
   * session, or if the player signed out here. It survives reloads, because most sessions end while the
   * page is closed. */
  lapsed = $state<Kind | null>(load<Kind | null>(LAPSED, null));
  /** When the player and the purses arrived (performance.now()). */
  #at = -Infinity;

  async start(): Promise<void> {
    onSessionEnd(() => this.lapse());
    while (tokens.now() && !this.me) {
      try {
        await this.reload();
      } catch (error) {
        if (!isOutage(error)) break; // the session is no longer valid: show the sign-in page
        this.unreached = true;
        await new Promise((done) => setTimeout(done, AGAIN_MS));
      }
    }
    this.unreached = false;
    this.ready = true;
  }

  async reload(): Promise<void> {
    const [me, wallet] = await Promise.all([need(api.GET('/v1/me')), purses()]);
    if (!tokens.now()) return; // the session ended meanwhile, so these responses are stale
    this.here(me);
    this.wallet = wallet;
    this.#at = performance.now();
  }

  private here(me: Me): void {
    this.me = me;
    this.lapsed = null;
    save(LAPSED, null);
    save(KIND, me.kind);
  }

  /** Reloads when a page becomes visible, unless the data has just been loaded. */
  async refresh(): Promise<void> {
    if (performance.now() - this.#at > FRESH_MS) await this.reload();
  }

  /** Token by which the server recognizes this browser, so that failed sign-ins elsewhere do not lock it
   * out. */
  device(): { device_token?: string } {
    const token = load<string | null>(DEVICE_TOKEN, null);
    return token ? { device_token: token } : {};
  }

  private async enter(answer: Session): Promise<void> {
    tokens.keep(answer);
    if (answer.device_token) save(DEVICE_TOKEN, answer.device_token);
    this.here(answer.player);
    this.wallet = await purses();
  }

  async guest(nickname: string): Promise<void> {
    const name = nickname ? { nickname } : {};
    const enter = (body: GuestRequest) => need(api.POST('/v1/auth/guest', { body }));
    const secret = load<string | null>(DEVICE, null);
    let answer: Session;
    try {
      answer = await enter(secret ? { device_secret: secret, ...name } : name);
    } catch (thrown) {
      if (!(secret && thrown instanceof ApiError && thrown.code === 'device_unknown')) throw thrown;
      answer = await enter(name);
    }
    save(DEVICE, answer.device_secret ?? null);
    await this.enter(answer);
  }

  async register(email: string, password: string, nickname: string, invite = ''): Promise<void> {
    const body = { email, password, nickname, ...(invite && { invite_code: invite }), ...this.device() };
    await this.enter(await need(api.POST('/v1/auth/register', { body })));
  }

  /** Turns the guest into an account; the guest keeps everything. */
  async upgrade(email: string, password: string, invite = ''): Promise<void> {
    const body = { email, password, ...(invite && { invite_code: invite }), ...this.device() };
    await this.enter(await need(api.POST('/v1/auth/upgrade', { body })));
    save(DEVICE, null); // no longer valid for this account, so the next guest is a new one
  }

  async login(email: string, password: string): Promise<void> {
    await this.enter(await need(api.POST('/v1/auth/login', { body: { email, password, ...this.device() } })));
  }

  /** signal: waits for a passkey in autofill until aborted; otherwise opens the prompt at once. */
  async loginWithPasskey(signal?: AbortSignal): Promise<void> {
    const [asked, { signWithPasskey }] = await Promise.all([
      need(api.POST('/v1/auth/passkey/begin')),
      part(() => import('./passkey')),
    ]);
    const signed = await signWithPasskey(asked, signal);
    await this.enter(await need(api.POST('/v1/auth/passkey', { body: { ...signed, ...this.device() } })));
  }

  /** A proof in the server's format: empty for a player without a password. */
  proven({ password, code }: Proof) {
    return password ? { password, ...this.coded(code) } : {};
  }

  private coded(code: string) {
    const tidy = code.trim();
    return { ...(tidy && { factor_code: tidy }), ...this.device() };
  }

  async addPasskey(name: string, proof: Proof): Promise<void> {
    const [asked, { makePasskey }] = await Promise.all([
      need(api.POST('/v1/me/passkey/begin', { body: this.proven(proof) })),
      part(() => import('./passkey')),
    ]);
    await need(api.POST('/v1/me/passkeys', { body: { ...(await makePasskey(asked)), name } }));
  }

  async removePasskey(id: string, proof: Proof): Promise<void> {
    const params = { path: { passkey: id } };
    await need(api.POST('/v1/me/passkeys/{passkey}/remove', { params, body: this.proven(proof) }));
  }

  /** Continues the challenge of a sign-in refused with second_factor_needed. player: the only one allowed
   * to sign in. */
  async loginFactor(challenge: string, code: string, player: string | null = null): Promise<void> {
    const body = { challenge, factor_code: code, ...this.device() };
    await this.enterAnew(await need(api.POST('/v1/auth/login/factor', { body })), player);
  }

  /** Opens the provider's sign-in page. */
  async goToProvider({ provider, act, player, back }: Omit<Flow, 'state' | 'secret'>): Promise<void> {
    const asked = { params: { path: { provider: provider.id } }, body: {} };
    const begun = await need(
      act === 'link'
        ? api.POST('/v1/me/oidc/{provider}', asked)
        : api.POST('/v1/auth/oidc/{provider}', asked),
    );
    const { authorize_url, state, secret } = begun;
    keepFlow({ provider, act, player, back, state, secret });
    location.assign(authorize_url);
  }

  /** Finishes the flow that goToProvider started. */
  async comeBack({ flow, finish }: Extract<Back, { finish: unknown }>): Promise<void> {
    const asked = {
      params: { path: { provider: flow.provider.id } },
      body: { ...finish, ...this.device() },
    };
    if (flow.act === 'link') {
      const guest = this.me?.kind === 'guest';
      await this.enter(await need(api.POST('/v1/me/oidc/{provider}/finish', asked)));
      if (guest) save(DEVICE, null); // as after an upgrade
    } else {
      await this.enterAnew(await need(api.POST('/v1/auth/oidc/{provider}/finish', asked)), flow.player);
    }
  }

  /** Signs in, and ends the previous session. player: the only one allowed to sign in; null: anyone. */
  private async enterAnew(answer: Session, player: string | null): Promise<void> {
    const before = tokens.now()?.refresh;
    if (player !== null && answer.player.id !== player) {
      await this.end(answer.refresh_token);
      throw new Error(say('sign_in.another'));
    }
    await this.enter(answer);
    if (before) await this.end(before);
  }

  /** Ends the session of a refresh token, even if the player leaves the page at once. If the server is
   * unreachable, the session expires by itself. */
  private async end(refresh: string): Promise<void> {
    const asked = { body: { refresh_token: refresh }, keepalive: true };
    await api.POST('/v1/auth/logout', asked).catch(() => undefined);
  }

  /** proof: contains the current password. */
  async changePassword(proof: Proof, fresh: string): Promise<void> {
    const body = { old_password: proof.password, password: fresh, ...this.coded(proof.code) };
    await need(api.POST('/v1/me/password', { body }));
  }

  /** Requests a change of the email address. It takes effect when the player opens the link sent to the new
   * address. */
  async changeEmail(email: string, { password, code }: Proof): Promise<void> {
    const body = { email, password, ...this.coded(code) };
    await need(api.POST('/v1/me/email', { body }));
  }

  /** Requests an export of the player's data. */
  async requestExport(proof: Proof): Promise<Export> {
    return need(api.POST('/v1/me/export', { body: this.proven(proof) }));
  }

  /** Requests account deletion. */
  async requestDeletion(proof: Proof): Promise<Deletion> {
    const body = { confirm: 'delete' as const, ...this.proven(proof) };
    return this.leaving(await need(api.POST('/v1/me/deletion', { body })));
  }

  async keepAccount(): Promise<Deletion> {
    return this.leaving(await need(api.DELETE('/v1/me/deletion')));
  }

  private leaving(deletion: Deletion): Deletion {
    if (this.me) this.me = { ...this.me, deletion_due_at: deletion.due_at ?? null };
    return deletion;
  }

  async change(change: MeChange): Promise<void> {
    this.me = await need(api.PATCH('/v1/me', { body: change }));
  }

  async leave(): Promise<void> {
    const refresh = tokens.now()?.refresh;
    this.forget();
    if (refresh) await this.end(refresh);
  }

  /** Signs out on all devices. Throws if the server is unreachable, without changing anything. */
  async leaveEverywhere(): Promise<void> {
    await need(api.POST('/v1/auth/logout-everywhere'));
    this.forget();
  }

  private forget(): void {
    tokens.drop();
    save(KIND, null);
    this.ended();
  }

  /** The server ended the session: signed out on another device, expired, or its token was reused. */
  private lapse(): void {
    this.lapsed = load<Kind | null>(KIND, null) ?? 'registered';
    save(LAPSED, this.lapsed);
    save(KIND, null);
    this.ended();
  }

  /** Another tab ended the session, or learned that it has ended. */
  follow({ key, newValue }: StorageEvent): void {
    if (key === keyOf(LAPSED)) this.lapsed = load<Kind | null>(LAPSED, null);
    else if (key === keyOf(SESSION) && newValue === null) {
      forgetTokens();
      if (this.me) this.ended();
    }
  }

  /** No one is signed in anymore, and the next person must not see the last player's cards. */
  private ended(): void {
    prune('hand:', 0);
    this.me = null;
    this.wallet = null;
  }
}

export const session = new SessionState();
