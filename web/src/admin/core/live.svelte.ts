/* Current load of this node, polled from /metrics every few seconds if the page can read it (a proxy blocks
 * it). */
import { parseMetrics, rate, type Metrics } from './metrics';

const EVERY_MS = 5000;
/** A rate needs two samples, so the second one is taken sooner. */
const SECOND_MS = 1000;
const PAST_MAX = 60;

export const FIGURES = ['sockets', 'tables', 'moves', 'requests'] as const;
export type Figure = (typeof FIGURES)[number];

const GAUGES = { sockets: 'rummyd_ws_connections', tables: 'rummyd_tables' } as const;
const RATES = { moves: 'rummyd_moves_total', requests: 'rummyd_http_responses_total' } as const;

export class Live {
  /** History of each figure, oldest first; empty while /metrics is unavailable. */
  past = $state.raw<Record<Figure, number[]> | null>(null);
  #before: { at: number; metrics: Metrics } | null = null;

  /** Polls until the returned function is called, when the effect ends. */
  watch(): () => void {
    const timer = setInterval(() => void this.#look(), EVERY_MS);
    const second = setTimeout(() => void this.#look(), SECOND_MS);
    void this.#look();
    return () => {
      clearInterval(timer);
      clearTimeout(second);
    };
  }

  async #look(): Promise<void> {
    if (document.hidden) return;
    const metrics = await read();
    const at = Date.now();
    if (metrics && this.#before) this.#add(metrics, (at - this.#before.at) / 1000, this.#before.metrics);
    this.#before = metrics && { at, metrics };
    if (!metrics) this.past = null;
  }

  #add(now: Metrics, seconds: number, before: Metrics): void {
    const figures: Record<Figure, number> = {
      sockets: now.get(GAUGES.sockets) ?? 0,
      tables: now.get(GAUGES.tables) ?? 0,
      moves: rate(RATES.moves, before, now, seconds),
      requests: rate(RATES.requests, before, now, seconds),
    };
    const past = this.past;
    this.past = Object.fromEntries(
      FIGURES.map((figure) => [figure, [...(past?.[figure] ?? []), figures[figure]].slice(-PAST_MAX)]),
    ) as Record<Figure, number[]>;
  }
}

async function read(): Promise<Metrics | null> {
  try {
    const response = await fetch('/metrics');
    const text = response.headers.get('Content-Type')?.startsWith('text/plain') ?? false;
    return response.ok && text ? parseMetrics(await response.text()) : null;
  } catch {
    return null;
  }
}
