/* The deal of each hand according to a game's record: parameters, starter, seats, and cards
 * (docs/records.md). Pure. */
import type { Card } from '$lib/cards/cards';
import { rulesOf, type Rules } from '$lib/rules/rules';

export interface ToldDeal {
  handNo: number;
  rules: Rules;
  starter: number;
  /** Whether this is a later hand, whose starter follows from the previous hand instead of being drawn. */
  later: boolean;
  /** Seats that were out of the session. */
  out: number[];
  /** By seat; empty for a seat that was out. */
  hands: Card[][];
}

const FIRST = '[Rummyd "';
const HEADER = /^\[(\w+) "(.*)"\]$/gm;

function numbersOf(text: string): Record<string, number> {
  return Object.fromEntries(text.split(' ').map((pair) => [pair.split('=')[0], Number(pair.split('=')[1])]));
}

function toldDeal(text: string): ToldDeal {
  const heads = Object.fromEntries([...text.matchAll(HEADER)].map((m) => [m[1], m[2] ?? '']));
  const seats = Array.from({ length: Number(heads['Players'] ?? 0) }, (_, seat) => seat);
  const hands = seats.map((seat) => (heads[`Cards${seat}`] ?? '').split(' ').filter(Boolean));
  return {
    handNo: Number(heads['Hand'] ?? 1),
    rules: rulesOf(heads['Variant'] ?? '', numbersOf(heads['Params'] ?? '')),
    starter: Number(heads['Starter'] ?? 0),
    later: 'Totals' in heads,
    out: seats.filter((seat) => hands[seat]?.length === 0),
    hands,
  };
}

/** The hands of a game's record, in order. */
export function toldDeals(record: string): ToldDeal[] {
  return record
    .split(FIRST)
    .slice(1)
    .map((text) => toldDeal(FIRST + text));
}
