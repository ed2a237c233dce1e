/* The operator: the API key, which is kept until the tab is closed, and the permissions that the server
 * reports for it. */
import { ApiError, createRest, idempotencyKey, need, type components } from '@rummyd/client';
import { load, save } from '$lib/api/storage';

export type Schemas = components['schemas'];
export { ApiError, idempotencyKey, need };

const KEY = 'operator_key';
/** An idle operator is signed out after this time, in case the tab was left open. */
const IDLE_MS = 30 * 60_000;
const IDLE_LOOK_MS = 30_000;

let key = '';

/** Every API call of the page goes through here. A rejected key cannot be renewed, so it signs the operator
 * out. */
export const api = createRest({
  url: location.origin,
  tokens: {
    access: async (refused) => {
      if (refused) operator.leave('refused');
      return key || null;
    },
  },
});

class Operator {
  status = $state.raw<Schemas['AdminStatus'] | null>(null);
  /** Whether the stored key has been tried. */
  ready = $state(false);
  /** Why the operator was signed out, unless they clicked the button. */
  left = $state<'' | 'refused' | 'idle'>('');
  #used = Date.now();

  /** Signs in with the key of this tab, if there is one. */
  async start(): Promise<void> {
    for (const kind of ['pointerdown', 'keydown']) addEventListener(kind, () => (this.#used = Date.now()));
    setInterval(() => {
      if (this.status && Date.now() - this.#used > IDLE_MS) this.leave('idle');
    }, IDLE_LOOK_MS);
    key = load<string>(KEY, '', 'session');
    try {
      if (key) await this.refresh();
    } catch {
      key = ''; /* the sign-in page will ask the operator for a key */
    } finally {
      this.ready = true;
    }
  }

  /** Tries a key; throws the server's error. */
  async enter(secret: string): Promise<void> {
    this.left = '';
    key = secret.trim();
    this.#used = Date.now();
    try {
      await this.refresh();
      save(KEY, key, 'session');
    } catch (error) {
      key = '';
      this.left = '';
      throw error;
    }
  }

  async refresh(): Promise<void> {
    this.status = await need(api.GET('/v1/admin/status'));
  }

  leave(why: '' | 'refused' | 'idle' = ''): void {
    key = '';
    save(KEY, null, 'session');
    this.status = null;
    this.left = why;
  }

  /** Whether the key permits any of these actions. */
  may(...actions: readonly string[]): boolean {
    return actions.some((action) => this.status?.actions.includes(action));
  }
}

export const operator = new Operator();
