/* Reads, writes, verifies, and replays records (docs/records.md). */
import { Game } from './game.js';
import type { Module } from './module.js';
import type { Encoder } from './moves.js';
import type { GameEvent, HandVerdict, Person, RecordHand, RecordStep, Viewer } from './types.js';

interface Place {
  at: number;
  next: number;
}

/** A replayed hand: `game` is the state after `at` of its steps. */
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

  /** Makes the next move and returns it with its events; null at the end. Throws an EngineError at an
   * invalid move of the record. */
  step(viewer: Viewer = 'everybody'): { step: RecordStep; events: GameEvent[] } | null {
    const step = this.hand.steps[this.at];
    if (!step) return null;
    const events = this.#game.apply(step.seat, step.move, viewer);
    this.at++;
    return { step, events };
  }

  /** Goes to the state after this many steps. */
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

  /** The hands of a text, in order. Throws an EngineError with the number of the invalid line. */
  parse(text: string): RecordHand[] {
    return this.#read(text).map(({ hand }) => hand);
  }

  /** The same text in the engine's canonical form. */
  print(text: string): string {
    const bytes = new TextEncoder().encode(text);
    return this.#read(text)
      .map(({ at }) => this.#module.call<{ record: string }>('record_print', bytes, bytes.length, at).record)
      .join('\n');
  }

  /** A verdict for each hand. The engine deals, plays, and scores each hand again and compares the result
   * with the record. */
  verify(text: string): HandVerdict[] {
    const bytes = new TextEncoder().encode(text);
    return this.#module.call<{ hands: HandVerdict[] }>('record_verify', bytes, bytes.length).hands;
  }

  /** One hand of a text, from 0, ready to be replayed. Throws an EngineError if its start is invalid. */
  replay(text: string, number = 0): Replay {
    const bytes = new TextEncoder().encode(text);
    const told = this.#read(text)[number];
    if (!told) throw new RangeError(`the record has no hand ${number}`);
    const { game } = this.#module.call<{ game: number }>('record_start', bytes, bytes.length, told.at);
    return new Replay(told.hand, new Game(this.#module, this.#encoder, game, told.hand.seats.length));
  }

  /** The record of the same deal as played in `game`, a copy of the game with which `replay` begins. Throws
   * an EngineError if the hand begins with a position. */
  anew(text: string, number: number, game: Game, people: readonly Person[]): string {
    const bytes = new TextEncoder().encode(text);
    const told = this.#read(text)[number];
    if (!told) throw new RangeError(`the record has no hand ${number}`);
    const input = Uint8Array.from([...bytes, ...game.played(people)]);
    return this.#module.call<{ record: string }>('record_anew', input, input.length, told.at, bytes.length)
      .record;
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
