/* Whether the account has a password, so that forms show the right fields. */
import { api, need } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';

class AccountState {
  #known = $state.raw<{ player: string | undefined; has: boolean } | null>(null);

  /** Assumed until the server responds: a registered account with a password. */
  get hasPassword(): boolean {
    const me = session.me;
    return this.#known && this.#known.player === me?.id ? this.#known.has : me?.kind === 'registered';
  }

  async look(): Promise<void> {
    const player = session.me?.id;
    this.#known = { player, has: (await need(api.GET('/v1/me/account'))).has_password };
  }
}

export const account = new AccountState();
