/* A game: deals, views, moves, and bots. Its state is inside the module, which has 256 slots. */
import { EngineError } from './errors.js';
import type { Module } from './module.js';
import type { Encoder } from './moves.js';
import type { GameEvent, Legal, Level, Move, Opening, Person, Seeds, Table, View, Viewer } from './types.js';

/** Parameters as the module reads them. */
export function rowOf({ variant, params, options }: Omit<Table, 'players'>): string {
  const fields = Object.entries(params ?? {}).map(([name, number]) => `${name}=${number}`);
  const chosen = Object.entries(options ?? {}).map(([name, value]) => `+${name}=${value}`);
  return [variant, ...fields, ...chosen].join(' ');
}

export function fromHex(text: string): Uint8Array {
  if (text.length % 2 !== 0 || !/^[0-9a-f]*$/i.test(text))
    throw new EngineError({ code: 'bad_seed', text: 'A seed must consist of pairs of hexadecimal digits.' });
  return Uint8Array.from({ length: text.length / 2 }, (_, i) => parseInt(text.slice(2 * i, 2 * i + 2), 16));
}

export function bytesOf(seeds: Seeds, players: number): Uint8Array {
  const table = new Uint8Array(8);
  new DataView(table.buffer).setBigUint64(0, BigInt(seeds.table_id ?? 0));
  const own = Array.from({ length: players }, (_, seat) => fromHex(seeds.client_seeds?.[seat] ?? ''));
  const more = own.flatMap((seed) => [Math.min(seed.length, 255), ...seed]);
  return Uint8Array.from([...fromHex(seeds.server_seed), ...table, ...more]);
}

/** Releases the slot of a game that is garbage-collected without `close`. */
const forgotten = new FinalizationRegistry<() => void>((close) => {
  try {
    close();
  } catch {
    // The engine has stopped, so no slot needs to be released.
  }
});

export class Game {
  readonly players: number;
  #module: Module;
  #encoder: Encoder;
  #number: number;
  /** Moves of this hand, for its record. */
  #moves: Uint8Array[] = [];
  #handIsOver = false;

  constructor(module: Module, encoder: Encoder, number: number, players: number) {
    this.#module = module;
    this.#encoder = encoder;
    this.#number = number;
    this.players = players;
    forgotten.register(this, () => module.call('close_game', null, number), this);
  }

  /** Deals the next hand (docs/fairness.md). */
  deal(seeds: Seeds, viewer: Viewer = 'everybody'): GameEvent[] {
    const bytes = bytesOf(seeds, this.players);
    const { events } = this.#call<{ events: GameEvent[] }>('deal', bytes, bytes.length, this.#viewer(viewer));
    this.#moves = [];
    this.#handIsOver = false;
    return events;
  }

  view(viewer: Viewer = 'everybody'): View {
    return this.#call<View>('view', null, this.#viewer(viewer));
  }

  /** Legal moves of the seat. hints: put the moves that the solver recommends first. */
  legal(seat: number, hints = false): Legal {
    return this.#call<Legal>('legal', null, seat, Number(hints));
  }

  /** Makes a move and returns its events, as the viewer sees them. If the move is illegal, throws an
   * EngineError with the code of the rule and changes nothing. */
  apply(seat: number, move: Move, viewer: Viewer = 'everybody'): GameEvent[] {
    const bytes = this.#encoder.move(seat, move);
    const { events } = this.#call<{ events: GameEvent[] }>(
      'apply',
      bytes,
      bytes.length,
      this.#viewer(viewer),
    );
    if (!this.#handIsOver) this.#moves.push(bytes);
    this.#handIsOver ||= events.some((event) => event.t === 'hand_ended');
    return events;
  }

  /** The move that a bot would make in this seat, based only on what the seat sees. Does not make the
   * move. */
  botMove(seat: number, level: Level): Move {
    return this.#call<{ move: Move }>('bot_move', null, seat, this.#encoder.level(level)).move;
  }

  /** Whether a bot that is out of a pool would rejoin between two hands. */
  botRejoins(seat: number, level: Level): boolean {
    return this.#call<{ rejoins: boolean }>('bot_rejoins', null, seat, this.#encoder.level(level)).rejoins;
  }

  /** Sets the random state of the seat's bot, a 64-bit number. The same state leads to the same play. */
  botDice(seat: number, dice: bigint): void {
    this.#call('bot_dice', null, seat, Number((dice >> 32n) & 0xffffffffn), Number(dice & 0xffffffffn));
  }

  /** What the seat to move can meld now, and whether that opens. */
  opening(seat: number): Opening {
    return this.#call<Opening>('opening', null, seat);
  }

  /** Equal games have equal hashes, on every machine. */
  hash(): string {
    return this.#call<{ hash: string }>('hash', null).hash;
  }

  /** The record of the hand dealt last, up to the current state. */
  record(people: readonly Person[]): string {
    const input = this.played(people);
    return this.#call<{ record: string }>('record_make', input, input.length).record;
  }

  /** Names of the seats and the moves of this hand, as the module reads them. */
  played(people: readonly Person[]): Uint8Array {
    const names = people.slice(0, this.players).map(({ name, level }) => {
      const bytes = new TextEncoder().encode(name);
      return Uint8Array.from([level ? this.#encoder.level(level) : 0, Math.min(bytes.length, 255), ...bytes]);
    });
    return Uint8Array.from([...names, ...this.#moves].flatMap((bytes) => [...bytes]));
  }

  /** A copy of this game that can be continued independently. */
  copy(): Game {
    const { game } = this.#call<{ game: number }>('copy_game', null);
    const copy = new Game(this.#module, this.#encoder, game, this.players);
    copy.#moves = [...this.#moves];
    copy.#handIsOver = this.#handIsOver;
    return copy;
  }

  /** Releases the game's slot. The game can no longer be used. */
  close(): void {
    if (this.#number < 0) return;
    forgotten.unregister(this);
    this.#call('close_game', null);
    this.#number = -1;
  }

  #call<T>(name: string, input: Uint8Array | null, ...numbers: number[]): T {
    return this.#module.call<T>(name, input, this.#number, ...numbers);
  }

  #viewer(viewer: Viewer): number {
    return typeof viewer === 'number' ? viewer : this.#encoder.words[viewer];
  }
}
