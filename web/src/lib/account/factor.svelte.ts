/* The second factor of the signed-in account, for all forms of the page. */
import { api, need } from '$lib/api/client';
import { session, type Proof } from '$lib/api/session.svelte';
import type { Factor } from './factor';

class FactorState {
  /** null: not loaded yet. */
  status = $state.raw<Factor | null>(null);

  async look(): Promise<void> {
    this.status = null;
    this.status = await need(api.GET('/v1/me/factor'));
  }

  /** Begins setup. */
  setUp(password: string) {
    return need(api.POST('/v1/me/factor', { body: { password, ...session.device() } }));
  }

  /** Finishes the setup and returns the recovery codes, which cannot be retrieved later. */
  async confirm(code: string): Promise<string[]> {
    const { recovery_codes } = await need(api.POST('/v1/me/factor/confirm', { body: { factor_code: code } }));
    this.status = { on: true, since: new Date().toISOString(), recovery_codes_left: recovery_codes.length };
    return recovery_codes;
  }

  async renewCodes({ password, code }: Proof): Promise<string[]> {
    const body = { password, factor_code: code, ...session.device() };
    const { recovery_codes } = await need(api.POST('/v1/me/factor/recovery-codes', { body }));
    if (this.status) this.status = { ...this.status, recovery_codes_left: recovery_codes.length };
    return recovery_codes;
  }

  async switchOff({ password, code }: Proof): Promise<void> {
    const body = { password, factor_code: code, ...session.device() };
    await need(api.POST('/v1/me/factor/off', { body }));
    this.status = { on: false, since: null, recovery_codes_left: 0 };
  }
}

export const factor = new FactorState();
