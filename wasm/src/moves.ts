/* Moves as bytes in the layout of struct eng_move, whose fields the module reads directly. The engine
 * checks them against the rules. */
import { EngineError } from './errors.js';
import type { Module } from './module.js';
import type { Card, Level, Move, Params } from './types.js';

/** The numbers of the module's enum names, which it reports once. */
export interface Words {
  moves: Record<string, number>;
  levels: Record<Level, number>;
  variants: { variant: string; params: Params }[];
  cards: Card[];
  move_bytes: number;
  move_cards_max: number;
  groups_max: number;
  none: number;
  spectator: number;
  everybody: number;
}

const bad = (text: string) => new EngineError({ code: 'bad_move', text });
const ENDS = [undefined, 'low', 'high'];

type Members = {
  from?: string;
  cards?: readonly Card[];
  card?: Card;
  joker?: Card;
  meld?: number;
  end?: string;
  groups?: readonly (readonly Card[])[];
  finish?: Card;
  done?: boolean;
};

export class Encoder {
  readonly words: Words;
  #numbers: Map<Card, number>;

  constructor(module: Module) {
    this.words = module.call<Words>('words', null);
    this.#numbers = new Map(this.words.cards.map((card, number) => [card, number]));
  }

  level(level: Level): number {
    return this.words.levels[level] ?? 0;
  }

  move(seat: number, move: Move): Uint8Array {
    const { words } = this;
    const d: Members = move?.d ?? {};
    const cards = this.#cardsOf(d);
    const groups = d.groups ?? [];
    const bytes = new Uint8Array(words.move_bytes);
    bytes[0] = this.#type(move, d);
    bytes[1] = byte(seat);
    bytes[2] = d.meld === undefined ? words.none : byte(d.meld);
    bytes[3] = d.done ? 1 : ENDS.indexOf(d.end);
    bytes[4] = cards.length;
    bytes.set(cards, 5);
    bytes[5 + words.move_cards_max] = byte(groups.length);
    bytes.set(
      groups.slice(0, words.groups_max).map((group) => byte(group.length)),
      6 + words.move_cards_max,
    );
    return bytes;
  }

  #type(move: Move, d: Members): number {
    const name = move?.t === 'draw' && d.from === 'discard' ? 'draw_discard' : move?.t;
    const type = Object.hasOwn(this.words.moves, name) ? this.words.moves[name] : undefined;
    if (type === undefined || (d.end !== undefined && !ENDS.includes(d.end)))
      throw bad('The kind of move is unknown.');
    if (move.t === 'draw' && d.from !== 'stock' && d.from !== 'discard')
      throw bad('A draw must be from `stock` or `discard`.');
    return type;
  }

  #cardsOf(d: Members): number[] {
    const named = [...(d.cards ?? []), ...(d.groups ?? []).flat()];
    for (const card of [d.card, d.joker, d.finish]) if (card !== undefined) named.push(card);
    if (named.length > this.words.move_cards_max)
      throw bad(`A move can contain at most ${this.words.move_cards_max} cards.`);
    return named.map((card) => {
      const number = this.#numbers.get(card);
      if (number === undefined) throw bad(`The card ${String(card)} does not exist.`);
      return number;
    });
  }
}

function byte(number: number): number {
  if (!Number.isInteger(number) || number < 0 || number > 255)
    throw bad('Numbers in a move must be integers from 0 to 255.');
  return number;
}
