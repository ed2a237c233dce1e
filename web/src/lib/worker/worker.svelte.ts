/* The service worker from the page's side: it is registered once the page is drawn, and a newer version is
 * offered but never forced. */

import { language } from '$lib/messages/language.svelte';

/** Files loaded before the worker was installed, such as the current language and the fonts. */
function fetched(): string[] {
  const own = performance.getEntriesByType('resource').map(({ name }) => new URL(name));
  return own.filter(({ origin }) => origin === location.origin).map(({ pathname }) => pathname);
}

class Worker {
  /** Whether a newer version is installed and waiting. */
  newer = $state(false);
  private registration: ServiceWorkerRegistration | null = null;
  private taking = false;

  /** Does nothing if workers are unavailable: without https, in private windows, in development. */
  async start(): Promise<void> {
    if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return;
    try {
      const { serviceWorker } = navigator; // throws in a sandboxed frame
      serviceWorker.addEventListener('controllerchange', () => {
        if (this.taking) location.reload();
      });
      const registration = await serviceWorker.register('/sw.js', { updateViaCache: 'none' });
      this.registration = registration;
      this.look(registration);
      registration.addEventListener('updatefound', () => {
        registration.installing?.addEventListener('statechange', () => this.look(registration));
      });
      const { active } = await serviceWorker.ready;
      await language.all();
      active?.postMessage({ t: 'keep', paths: fetched() });
    } catch {
      // The page works without the worker.
    }
  }

  /** Called if the player wants the newer version now. */
  take(): void {
    this.taking = true;
    this.registration?.waiting?.postMessage({ t: 'take' });
  }

  private look({ waiting, active }: ServiceWorkerRegistration): void {
    this.newer = waiting !== null && active !== null;
  }
}

export const worker = new Worker();
