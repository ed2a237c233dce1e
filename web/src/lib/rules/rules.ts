/* The variants in the form that the page needs. The engine defines their rows (engine/core/params.def
 * documents each field); the output of `rummyd variants` is committed as variants.json. Options of a table
 * come with its snapshot and override the row. The page makes suggestions with them; only the server
 * decides.
 *
 * This folder repeats rules of the engine only where the page cannot use the engine. A table draws the hand with
 * its groups and points, and proposes melds at each click, before the engine (76 kB) has loaded. The engine also
 * judges whole games, but a live table sends only what the seat sees. Functions that can wait for the
 * engine, such as arranging a hand, use it (table/arrange.ts). */
import { isJoker, PLACE_ACE_HIGH, rankOf, type Card } from '$lib/cards/cards';
import { sayOf } from '$lib/messages/messages';
import rows from './variants.json';

/** Seconds that each completed turn returns to the hand clock, and the minimum time of a turn. */
export const HAND_CLOCK_BACK_S = 8;

export type Row = (typeof rows)['rummy51']['params'];
/** meld: melds lie on the table. declare: thirteen cards in groups, shown at the end. */
export type Family = 'meld' | 'declare';
export interface Rules extends Row {
  variant: string;
  family: Family;
  name: string;
}

const ROWS: ReadonlyMap<string, { family: string; params: Row }> = new Map(Object.entries(rows));

/** All variants, starting with the one played in the rooms. */
export const VARIANTS: readonly string[] = [...ROWS.keys()];

export function isVariant(name: string): boolean {
  return ROWS.has(name);
}

/** The row of a variant with the table's overrides; Rummy 51 if only a newer server has the variant. */
export function rulesOf(variant: string, params: Readonly<Record<string, unknown>> = {}): Rules {
  const { family, params: row } = ROWS.get(variant) ?? rows.rummy51;
  const said = Object.entries(params).filter(([key, value]) => key in row && typeof value === 'number');
  const declares = family === 'declare';
  return {
    ...row,
    ...(Object.fromEntries(said) as Partial<Row>),
    variant,
    name: sayOf('variant', variant),
    family: declares ? 'declare' : 'meld',
  };
}

export function packSize(rules: Row): number {
  return rules.packs * 52 + rules.jokers;
}

/** Cards dealt to each player, without the starter's extra one. */
export function dealtEach(rules: Row, players: number): number {
  return players === 2 ? rules.deal_two : rules.deal;
}

/** Worth of a card of this rank in a set or in a hand. */
export function rankPoints(rules: Row, rank: number): number {
  if (rank === 0) return rules.ace_points;
  return rank >= 10 ? rules.court_points : rank + 1;
}

/** Worth of a card at this place of a run, from 0 (low ace) to 13 (high ace). */
export function placePoints(rules: Row, place: number): number {
  if (place === 0) return rules.ace_low_points;
  return place === PLACE_ACE_HIGH ? rules.ace_high_points : rankPoints(rules, place);
}

export function cardPoints(rules: Row, card: Card): number {
  return isJoker(card) ? rules.joker_points : rankPoints(rules, rankOf(card));
}

export function handPoints(rules: Row, cards: readonly Card[]): number {
  return cards.reduce((sum, card) => sum + cardPoints(rules, card), 0);
}

/** Whether this many jokers may be combined with this many natural cards. */
export function jokersFit(rules: Row, jokers: number, naturals: number, most: number): boolean {
  if (naturals === 0 || jokers > most) return false;
  if (rules.jokers_ratio === 2) return jokers < naturals;
  return rules.jokers_ratio !== 1 || jokers <= naturals;
}

/** Whether a run over these places respects the variant's rules for aces and length. */
export function endsFit(rules: Row, low: number, n: number): boolean {
  const high = low + n - 1;
  if (low < 0 || high > PLACE_ACE_HIGH || n > rules.run_max) return false;
  return (low > 0 || rules.ace_low === 1) && (high < PLACE_ACE_HIGH || rules.ace_high === 1);
}
