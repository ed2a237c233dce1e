/* The player's costliest habits: judges their games one after the other in a worker and stores the results,
 * so that each game is judged only once. */
import { api, gameRecord, need, sentence } from '$lib/api/client';
import { load, save } from '$lib/api/storage';
import { say } from '$lib/messages/messages';
import { parts } from '$lib/parts/parts.svelte';
import { costliest, type Costly, type GameCosts } from '$lib/replay/habits';
import type { Asked, Judged } from '$lib/replay/habits.worker';

/** With fewer games, the result is not significant. Only the newest GAMES_MAX games count. */
export const GAMES_MIN = 20;
const GAMES_MAX = 40;
/** Version of the stored data, which changes when the definition of a habit changes. */
const VERSION = 1;

interface Kept {
  version: number;
  games: Record<string, GameCosts>;
}

export class Habits {
  /** Number of finished games, at most GAMES_MAX; null: not known yet. */
  games = $state<number | null>(null);
  judged = $state(0);
  busy = $state(false);
  problem = $state('');
  found = $state.raw<Costly[]>([]);
  private ids: string[] = [];
  private kept: Kept['games'] = {};
  private worker: Worker | null = null;
  private ended = false;

  constructor(private readonly player: string) {
    const kept = load<Kept | null>(this.key, null);
    if (kept?.version === VERSION) this.kept = kept.games;
  }

  private get key(): string {
    return `habits:${this.player}`;
  }
  /** Whether no game has been judged yet, so that the player has to start it. */
  get fresh(): boolean {
    return this.judged === 0;
  }
  get done(): boolean {
    return this.games !== null && this.judged >= this.games;
  }

  async look(): Promise<void> {
    this.problem = '';
    try {
      const { items } = await need(api.GET('/v1/games', { params: { query: { limit: GAMES_MAX } } }));
      this.ids = items.filter((game) => game.took_part && !game.hidden).map((game) => game.id);
      this.games = this.ids.length;
      this.sum();
      if (this.games >= GAMES_MIN && !this.fresh && !this.done) await this.judge();
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  /** Judges all games that have not been judged yet. */
  async judge(): Promise<void> {
    this.busy = true;
    this.problem = '';
    try {
      for (const id of this.ids.filter((id) => !this.kept[id])) {
        if (this.ended) return;
        this.keep(id, await this.costsOf(id));
      }
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.busy = false;
    }
  }

  private async costsOf(id: string): Promise<GameCosts> {
    const game = await need(api.GET('/v1/games/{game}', { params: { path: { game: id } } }));
    const seat = game.results.find((result) => result.player_id === this.player)?.seat;
    const none: GameCosts = { hands: 0, sums: {} };
    if (seat === undefined) return none;
    return (await this.ask({ text: await gameRecord(id), seat })) ?? none;
  }

  private ask(asked: Asked): Promise<Judged> {
    // eslint-disable-next-line svelte/prefer-svelte-reactivity -- Vite looks for this very form; nothing shows it
    this.worker ??= new Worker(new URL('../replay/habits.worker.ts', import.meta.url), { type: 'module' });
    const { worker } = this;
    return new Promise((done, fail) => {
      worker.onmessage = ({ data }: MessageEvent<Judged>) => done(data);
      worker.onerror = (event) => {
        event.preventDefault(); // reported here instead
        worker.terminate();
        this.worker = null;
        parts.lost();
        fail(new Error(say('replay.fault.engine')));
      };
      worker.postMessage(asked);
    });
  }

  private keep(id: string, costs: GameCosts): void {
    this.kept = { ...this.kept, [id]: costs };
    const games = Object.fromEntries(
      this.ids.flatMap((one) => (this.kept[one] ? [[one, this.kept[one]]] : [])),
    );
    save(this.key, { version: VERSION, games } satisfies Kept);
    this.sum();
  }

  private sum(): void {
    const costs = this.ids.flatMap((id) => this.kept[id] ?? []);
    this.judged = costs.length;
    this.found = costliest(costs).slice(0, 3);
  }

  stop(): void {
    this.ended = true;
    this.worker?.terminate();
  }
}
