/* The signed-in player and their purses, for every page. */
import { api, ApiError, need, type GuestRequest, type Me, type Session, type Wallet } from './client';
import { load, save } from './storage';
import { dropTokens, keepTokens, onSessionEnd, tokens } from './tokens';

/** Where the secret is kept by which this device comes back as the same guest. */
const DEVICE = 'device_secret';

/** The purses, with the bonus of a midnight that came while the session was open. */
async function purses(): Promise<Wallet> {
  const wallet = await need(api.GET('/v1/wallet'));
  return wallet.bonus.due ? need(api.POST('/v1/wallet/daily-bonus')) : wallet;
}

const DEVICE_TOKEN = 'device_token';

/** By which accounts know this browser, so that others' failed log-ins do not lock it out. */
function knownDevice(): { device_token?: string } {
  const token = load<string | null>(DEVICE_TOKEN, null);
  return token ? { device_token: token } : {};
}

class SessionState {
  me = $state<Me | null>(null);
  wallet = $state<Wallet | null>(null);
  /** Whether the kept session was looked at yet. */
  ready = $state(false);

  async start(): Promise<void> {
    onSessionEnd(() => {
      this.me = null;
      this.wallet = null;
    });
    try {
      if (tokens()) await this.reload();
    } catch {
      /* no session, or no server yet: the entrance says so when something is tried */
    } finally {
      this.ready = true;
    }
  }

  async reload(): Promise<void> {
    const [me, wallet] = await Promise.all([need(api.GET('/v1/me')), purses()]);
    this.me = me;
    this.wallet = wallet;
  }

  private async enter(answer: Session): Promise<void> {
    keepTokens(answer);
    if (answer.device_token) save(DEVICE_TOKEN, answer.device_token);
    this.me = answer.player;
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
    const body = { email, password, nickname, ...(invite && { invite_code: invite }), ...knownDevice() };
    await this.enter(await need(api.POST('/v1/auth/register', { body })));
  }

  /** Makes an account of the guest, who keeps all they have. */
  async upgrade(email: string, password: string, invite = ''): Promise<void> {
    const body = { email, password, ...(invite && { invite_code: invite }), ...knownDevice() };
    await this.enter(await need(api.POST('/v1/auth/upgrade', { body })));
    save(DEVICE, null); // opens this account no more: a next guest is another one
  }

  async login(email: string, password: string): Promise<void> {
    await this.enter(await need(api.POST('/v1/auth/login', { body: { email, password, ...knownDevice() } })));
  }

  async changePassword(old: string, fresh: string): Promise<void> {
    const body = { old_password: old, password: fresh, ...knownDevice() };
    await need(api.POST('/v1/me/password', { body }));
  }

  /** Asks for another address; it changes when the link that is sent there is opened. */
  async changeEmail(email: string, password: string): Promise<void> {
    await need(api.POST('/v1/me/email', { body: { email, password, ...knownDevice() } }));
  }

  async change(change: { nickname?: string; avatar?: string }): Promise<void> {
    this.me = await need(api.PATCH('/v1/me', { body: change }));
  }

  async leave(): Promise<void> {
    const refresh = tokens()?.refresh;
    this.forget();
    if (refresh)
      await api.POST('/v1/auth/logout', { body: { refresh_token: refresh } }).catch(() => undefined);
  }

  /** Signs out on all devices; throws when the server could not be told, and then nothing has changed. */
  async leaveEverywhere(): Promise<void> {
    await need(api.POST('/v1/auth/logout-everywhere'));
    this.forget();
  }

  private forget(): void {
    dropTokens();
    this.me = null;
    this.wallet = null;
  }
}

export const session = new SessionState();
