/* Records (docs/records.md): read, written, verified, and played again move by move. */
import { Game } from './game.js';
import type { Module } from './module.js';
import type { Encoder } from './moves.js';
import type { GameEvent, HandVerdict, RecordHand, RecordStep, Viewer } from './types.js';

interface Place {
  at: number;
  next: number;
}

/** A hand played again: `game` stands behind `at` of its steps. */
export class Replay {
  readonly hand: RecordHand;
  readonly players: number;
  at = 0;
  #start: Game;
  #game: Game;

  constructor(hand: RecordHand, start: Game) {
    this.hand = hand;
    this.players = start.players;
    this.#start = start;
    this.#game = start.copy();
  }

  get game(): Game {
    return this.#game;
  }

  /** The next move and its events; null at the end. An EngineError where the record holds a move that is none. */
  step(viewer: Viewer = 'everybody'): { step: RecordStep; events: GameEvent[] } | null {
    const step = this.hand.steps[this.at];
    if (!step) return null;
    const events = this.#game.apply(step.seat, step.move, viewer);
    this.at++;
    return { step, events };
  }

  /** To where so many steps are done. */
  seek(at: number): void {
    if (at < this.at) {
      this.#game.close();
      this.#game = this.#start.copy();
      this.at = 0;
    }
    while (this.at < at && this.step());
  }

  close(): void {
    this.#game.close();
    this.#start.close();
  }
}

export class Records {
  #module: Module;
  #encoder: Encoder;

  constructor(module: Module, encoder: Encoder) {
    this.#module = module;
    this.#encoder = encoder;
  }

  /** The hands of a text, which stand one after the other. An EngineError says where it is no record. */
  parse(text: string): RecordHand[] {
    return this.#read(text).map(({ hand }) => hand);
  }

  /** The same text as the engine writes it: one spelling for each record. */
  print(text: string): string {
    const bytes = new TextEncoder().encode(text);
    return this.#read(text)
      .map(({ at }) => this.#module.call<{ record: string }>('record_print', bytes, bytes.length, at).record)
      .join('\n');
  }

  /** A verdict for each hand: dealt, played and scored again, compared with all that the record shows. */
  verify(text: string): HandVerdict[] {
    const bytes = new TextEncoder().encode(text);
    return this.#module.call<{ hands: HandVerdict[] }>('record_verify', bytes, bytes.length).hands;
  }

  /** One hand of a text, from 0, ready to be played again. An EngineError if its start cannot be. */
  replay(text: string, number = 0): Replay {
    const bytes = new TextEncoder().encode(text);
    const told = this.#read(text)[number];
    if (!told) throw new RangeError(`the record has no hand ${number}`);
    const { game } = this.#module.call<{ game: number }>('record_start', bytes, bytes.length, told.at);
    return new Replay(told.hand, new Game(this.#module, this.#encoder, game, told.hand.seats.length));
  }

  #read(text: string): { hand: RecordHand; at: number }[] {
    const bytes = new TextEncoder().encode(text);
    const told: { hand: RecordHand; at: number }[] = [];
    for (let at = 0; at < bytes.length || at === 0;) {
      const {
        next,
        at: place,
        ...hand
      } = this.#module.call<RecordHand & Place>('record_parse', bytes, bytes.length, at);
      told.push({ hand, at: place });
      at = next;
    }
    return told;
  }
}
