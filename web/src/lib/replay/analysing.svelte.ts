/* State of the analysis of a hand: requested, running, done, or aborted. */
import { parts } from '$lib/parts/parts.svelte';
import type { Analysis } from './analysis';

type Told = { analysis: Analysis; progress?: undefined } | { progress: number; analysis?: undefined };

export class Analysing {
  progress = $state<number | null>(null);
  result = $state.raw<Analysis | null>(null);
  failed = $state(false);
  private worker: Worker | null = null;

  begin(text: string, number: number): void {
    this.stop();
    this.progress = 0;
    this.result = null;
    this.failed = false;
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- Vite looks for this very form; nothing shows it
    const worker = new Worker(new URL('./analysis.worker.ts', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }: MessageEvent<Told>) => {
      if (data.analysis) {
        this.result = data.analysis;
        this.stop();
      } else this.progress = data.progress;
    };
    worker.onerror = (event) => {
      event.preventDefault(); // reported here instead
      this.failed = true;
      this.stop();
      parts.lost();
    };
    worker.postMessage({ text, number });
    this.worker = worker;
  }

  stop(): void {
    this.worker?.terminate();
    this.worker = null;
    this.progress = null;
  }
}
