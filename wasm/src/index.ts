/* The rules of rummy in the browser: the server's engine, compiled to WebAssembly. node.ts is the same for
 * Node.js.
 *
 *     const engine = await load();
 *     const { game } = engine.deal({ variant: 'rummy51', players: 2 }, { server_seed });
 *     game.apply(seat, { t: 'draw', d: { from: 'stock' } });
 */
import { Game, bytesOf, fromHex, rowOf } from './game.js';
import { Module, type Source } from './module.js';
import { Encoder } from './moves.js';
import { Records } from './record.js';
import type {
  Arrangement,
  Card,
  Dealt,
  GameEvent,
  HandOf,
  HandVerdict,
  Params,
  Seeds,
  Table,
  Viewer,
} from './types.js';

export { EngineError, EngineFault } from './errors.js';
export type { Source } from './module.js';
export type { Game } from './game.js';
export type { Records, Replay } from './record.js';
export type * from './types.js';

/** Address of the module in this package. */
export const WASM_URL = new URL('../dist/engine.wasm', import.meta.url);

/** Loads the engine. A page needs `script-src 'wasm-unsafe-eval'` in its Content-Security-Policy. */
export async function load(source: Source = WASM_URL): Promise<Engine> {
  return new Engine(await Module.load(source));
}

export class Engine {
  /** All variants with their parameters. */
  readonly variants: readonly { variant: string; params: Params }[];
  readonly record: Records;
  #module: Module;
  #encoder: Encoder;

  constructor(module: Module) {
    this.#module = module;
    this.#encoder = new Encoder(module);
    this.variants = this.#encoder.words.variants;
    this.record = new Records(module, this.#encoder);
  }

  /** A session before its first hand. */
  newGame(table: Table): Game {
    const row = new TextEncoder().encode(rowOf(table));
    const { game } = this.#module.call<{ game: number }>('new_game', row, row.length, table.players);
    return new Game(this.#module, this.#encoder, game, table.players);
  }

  /** A session with its first hand dealt. */
  deal(table: Table, seeds: Seeds, viewer: Viewer = 'everybody'): { game: Game; events: GameEvent[] } {
    const game = this.newGame(table);
    try {
      return { game, events: game.deal(seeds, viewer) };
    } catch (error) {
      game.close();
      throw error;
    }
  }

  /** The cards that the seeds deal in a hand, to verify it. The hand is the first or a later one of a
   * session. */
  handsOf(table: Table, seeds: Seeds, hand: HandOf): Dealt {
    const row = new TextEncoder().encode(`${rowOf(table)}\0`);
    const input = Uint8Array.from([...row, ...bytesOf(seeds, table.players)]);
    const out = (hand.out ?? []).reduce((bits, seat) => bits | (1 << seat), 0);
    const { players } = table;
    return this.#module.call<Dealt>(
      'hands',
      input,
      input.length,
      players,
      hand.hand_no,
      hand.starter ?? 0,
      out,
    );
  }

  /** The best grouping of a hand with these cards. wild: the card turned up, in the declare family. */
  arrange(table: Omit<Table, 'players'>, cards: readonly Card[], wild: Card | null = null): Arrangement {
    const input = new TextEncoder().encode(`${rowOf(table)}\0${wild ?? '-'} ${cards.join(' ')}`);
    return this.#module.call<Arrangement>('arrange', input, input.length);
  }

  /** The commitment, which is the SHA-256 of the server seed and is published before the seeds. */
  commit(serverSeed: string): string {
    const seed = fromHex(serverSeed);
    return this.#module.call<{ commit: string }>('commit', seed, seed.length).commit;
  }

  /** See `record.verify`. */
  verify(record: string): HandVerdict[] {
    return this.record.verify(record);
  }
}
