/* The variants as the page needs them: the rows of engine/core/params.c, field by field under the same names,
 * as far as something here is drawn, proposed or checked with them. What a table has changed by its options
 * comes with its snapshot and stands above the row. The server alone judges; rules.test.ts holds the rows
 * against the engine's. */
import { isJoker, PLACE_ACE_HIGH, rankOf, type Card } from './cards';

/** laid: melds lie on the table. declare: thirteen cards in groups, shown at the end. */
export type Family = 'laid' | 'declare';

export interface Row {
  players_min: number;
  players_max: number;
  packs: number;
  jokers: number;
  deal: number;
  /** Cards each when only two play. */
  deal_two: number;
  starter_extra: number;
  face_up_start: number;
  ace_low: number;
  ace_high: number;
  ace_low_points: number;
  ace_high_points: number;
  /** An ace in a set or in a hand. */
  ace_points: number;
  court_points: number;
  joker_points: number;
  run_max: number;
  set_max: number;
  jokers_opening_max: number;
  jokers_set_max: number;
  /** 0: one natural card is enough, 1: not more jokers than naturals, 2: fewer. */
  jokers_ratio: number;
  jokers_apart: number;
  joker_joins_set: number;
  opening_min: number;
  meld_in_round_1: number;
  lay_off_unopened: number;
  swap_set_full: number;
  swapped_joker_kept: number;
  joker_buried: number;
  session_hands: number;
  stock_flips: number;
  hands_negative: number;
  best_high: number;
  target: number;
  /** Indian games: 1: the rank turned up is wild, 2: that card alone. */
  wild_scope: number;
  wild_natural_pure: number;
  points_cap: number;
  /** 0: nobody may drop. */
  drop_first: number;
  drop_middle: number;
  wrong_points: number;
  rejoin_max: number;
  pool: number;
}
export interface Rules extends Row {
  variant: string;
  family: Family;
  name: string;
}

const NOTHING: Row = {
  players_min: 2,
  players_max: 4,
  packs: 2,
  jokers: 0,
  deal: 13,
  deal_two: 13,
  starter_extra: 0,
  face_up_start: 1,
  ace_low: 1,
  ace_high: 1,
  ace_low_points: 10,
  ace_high_points: 10,
  ace_points: 10,
  court_points: 10,
  joker_points: 0,
  run_max: 14,
  set_max: 4,
  jokers_opening_max: 14,
  jokers_set_max: 1,
  jokers_ratio: 0,
  jokers_apart: 0,
  joker_joins_set: 1,
  opening_min: 0,
  meld_in_round_1: 1,
  lay_off_unopened: 0,
  swap_set_full: 0,
  swapped_joker_kept: 0,
  joker_buried: 0,
  session_hands: 1,
  stock_flips: 0,
  hands_negative: 0,
  best_high: 0,
  target: 0,
  wild_scope: 0,
  wild_natural_pure: 0,
  points_cap: 0,
  drop_first: 0,
  drop_middle: 0,
  wrong_points: 0,
  rejoin_max: 0,
  pool: 0,
};

const RUMMY_51: Row = {
  ...NOTHING,
  jokers: 4,
  deal: 14,
  deal_two: 14,
  starter_extra: 1,
  face_up_start: 0,
  joker_points: 20,
  jokers_opening_max: 1,
  joker_joins_set: 0,
  opening_min: 51,
  meld_in_round_1: 0,
  swapped_joker_kept: 1,
  joker_buried: 1,
};
const ACES_1_AND_11: Row = { ...NOTHING, ace_low_points: 1, ace_high_points: 11, ace_points: 11 };
const RUMMY_40: Row = {
  ...ACES_1_AND_11,
  jokers: 6,
  joker_points: 20,
  jokers_ratio: 2,
  jokers_apart: 1,
  opening_min: 40,
  swap_set_full: 1,
  session_hands: 3,
};
const INDIAN: Row = {
  ...NOTHING,
  players_max: 6,
  jokers: 2,
  run_max: 13,
  wild_scope: 1,
  wild_natural_pure: 1,
  points_cap: 80,
  drop_first: 20,
  drop_middle: 40,
  wrong_points: 80,
};
const POOL: Row = { ...INDIAN, session_hands: 99, pool: 1 };
const DEALS: Row = { ...INDIAN, drop_first: 0, drop_middle: 0, hands_negative: 1, best_high: 1 };

const ROWS: Record<string, Row & { family: Family; name: string }> = {
  rummy51: { ...RUMMY_51, family: 'laid', name: 'Rummy 51' },
  straight: {
    ...NOTHING,
    family: 'laid',
    name: 'Straight rummy',
    packs: 1,
    deal: 7,
    deal_two: 10,
    ace_high: 0,
    ace_low_points: 1,
    ace_high_points: 15,
    ace_points: 1,
    run_max: 13,
    jokers_opening_max: 0,
    jokers_set_max: 0,
    joker_joins_set: 0,
    lay_off_unopened: 1,
    session_hands: 99,
    stock_flips: 1,
    best_high: 1,
    target: 150,
  },
  treff: {
    ...ACES_1_AND_11,
    family: 'laid',
    name: 'Treff',
    jokers: 3,
    joker_points: 20,
    jokers_set_max: 2,
    jokers_ratio: 1,
    session_hands: 3,
    hands_negative: 1,
    best_high: 1,
  },
  rummy40: { ...RUMMY_40, family: 'laid', name: 'Rummy 40' },
  rami: { ...RUMMY_40, family: 'laid', name: 'Rami', opening_min: 51, meld_in_round_1: 0 },
  points: { ...INDIAN, family: 'declare', name: 'Points rummy' },
  pool101: { ...POOL, family: 'declare', name: 'Pool 101', target: 101, rejoin_max: 79 },
  pool201: {
    ...POOL,
    family: 'declare',
    name: 'Pool 201',
    target: 201,
    rejoin_max: 174,
    drop_first: 25,
    drop_middle: 50,
  },
  deals2: { ...DEALS, family: 'declare', name: 'Best of 2 deals', session_hands: 2 },
  deals3: { ...DEALS, family: 'declare', name: 'Best of 3 deals', session_hands: 3 },
};

export const VARIANTS: readonly string[] = Object.keys(ROWS);

/** The row of a variant with what the table says of it; Rummy 51 for a name of a later server. */
export function rulesOf(variant: string, params: Readonly<Record<string, unknown>> = {}): Rules {
  const row = ROWS[variant] ?? { ...RUMMY_51, family: 'laid' as const, name: variant };
  const said = Object.entries(params).filter(([key, value]) => key in NOTHING && typeof value === 'number');
  return { ...row, ...(Object.fromEntries(said) as Partial<Row>), variant };
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
