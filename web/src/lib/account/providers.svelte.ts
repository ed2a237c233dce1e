/* The sign-in providers of this server, and those linked by the player. */
import { api, need } from '$lib/api/client';
import type { Identity, Provider } from '$lib/api/provider';

class Providers {
  /** Providers that the server offers; null: not loaded yet. */
  offered = $state.raw<Provider[] | null>(null);
  /** Linked identities; null: not loaded yet. */
  identities = $state.raw<Identity[] | null>(null);
  /** Name of the provider that was just linked, until the page has announced it. */
  news = '';

  /** Linked providers. */
  linked = $derived(this.which(true));
  /** Providers that are offered but not linked. */
  others = $derived(this.which(false));

  private which(linked: boolean): Provider[] {
    const mine = this.identities?.map((identity) => identity.provider) ?? [];
    return this.offered?.filter(({ id }) => mine.includes(id) === linked) ?? [];
  }

  async look(): Promise<void> {
    this.offered ??= (await need(api.GET('/v1/auth/oidc'))).items;
  }

  async lookMine(): Promise<void> {
    this.identities = null;
    const [mine] = await Promise.all([need(api.GET('/v1/me/identities')), this.look()]);
    this.identities = mine.items;
  }

  async unlink(identity: Identity): Promise<void> {
    const params = { path: { identity: identity.id } };
    await need(api.DELETE('/v1/me/identities/{identity}', { params }));
    this.identities = this.identities?.filter((other) => other !== identity) ?? null;
  }
}

export const providers = new Providers();
