/* The comparison of a finished game with bots: started once and kept while its result is opened and
 * closed. */
import { parts } from '$lib/parts/parts.svelte';
import type { Compared } from './par.worker';

export class Comparing {
  busy = $state(false);
  result = $state.raw<Compared | null>(null);
  private worker: Worker | null = null;
  private begun = false;
  private ended = false;

  /** text: loads the record. If that fails, there is no result. Only the first call has an effect. */
  async begin(text: () => Promise<string>, seat: number): Promise<void> {
    if (this.begun) return;
    this.begun = true;
    this.busy = true;
    try {
      const record = await text();
      if (!this.ended) this.compare(record, seat);
    } catch {
      this.stop();
    }
  }

  private compare(text: string, seat: number): void {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- Vite looks for this very form; nothing shows it
    const worker = new Worker(new URL('./par.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Compared>) => {
      this.result = data;
      this.stop();
    };
    worker.onerror = (event) => {
      event.preventDefault(); // reported here instead
      this.stop();
      parts.lost();
    };
    worker.postMessage({ text, seat });
    this.worker = worker;
  }

  stop(): void {
    this.ended = true;
    this.busy = false;
    this.worker?.terminate();
    this.worker = null;
  }
}
