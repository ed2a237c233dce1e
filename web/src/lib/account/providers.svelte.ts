/* The providers by which people sign in here, asked for once. */
import { api, need } from '$lib/api/client';
import type { Provider } from '$lib/api/provider';

class Providers {
  /** null: not known yet. */
  items = $state.raw<Provider[] | null>(null);
  /** The name of the one that was linked just now, until somebody has said so. */
  linked = '';

  async look(): Promise<void> {
    this.items ??= (await need(api.GET('/v1/auth/oidc'))).items;
  }
}

export const providers = new Providers();
