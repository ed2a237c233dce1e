/* The variants as the page needs them. Their rows are the engine's (engine/core/params.def tells each field): what
 * `rummyd variants` prints is committed as variants.json. What a table has changed by its options comes with its
 * snapshot and stands above the row. The page proposes with them; the server alone judges. */
import { isJoker, PLACE_ACE_HIGH, rankOf, type Card } from '$lib/cards/cards';
import { sayOf } from '$lib/messages/messages';
import rows from './variants.json';

/** Seconds that each completed turn gives back to the hand clock, and the least a turn has. */
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

/** Every variant there is, the room's game first. */
export const VARIANTS: readonly string[] = [...ROWS.keys()];

export function isVariant(name: string): boolean {
  return ROWS.has(name);
}

/** The row of a variant with what the table says of it; Rummy 51 for a name of a later server. */
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

/** Cards dealt to each; the starter's extra one not counted. */
export function dealtEach(rules: Row, players: number): number {
  return players === 2 ? rules.deal_two : rules.deal;
}

/** What a card of this rank counts in a set or in a hand. */
export function rankPoints(rules: Row, rank: number): number {
  if (rank === 0) return rules.ace_points;
  return rank >= 10 ? rules.court_points : rank + 1;
}

/** What a card at this place of a run counts: 0 is the low ace, 13 the high one. */
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

/** May so many jokers stand beside so many natural cards? */
export function jokersFit(rules: Row, jokers: number, naturals: number, most: number): boolean {
  if (naturals === 0 || jokers > most) return false;
  if (rules.jokers_ratio === 2) return jokers < naturals;
  return rules.jokers_ratio !== 1 || jokers <= naturals;
}

/** Do the ends of a run of these places fit the variant's aces and its longest run? */
export function endsFit(rules: Row, low: number, n: number): boolean {
  const high = low + n - 1;
  if (low < 0 || high > PLACE_ACE_HIGH || n > rules.run_max) return false;
  return (low > 0 || rules.ace_low === 1) && (high < PLACE_ACE_HIGH || rules.ace_high === 1);
}
