/* The page's own judgment of Indian groupings: valid groups, whether a grouping may be declared, and its
 * cost. Used for display while the player arranges cards; the server decides. Rules: docs/rules.md §8.1.
 * Tested with the shared vectors of hand evaluation. */
import { say } from '$lib/messages/messages';
import { isJoker, PLACE_ACE_HIGH, rankOf, suitOf, type Card } from '$lib/cards/cards';

export type GroupKind = 'none' | 'set' | 'sequence' | 'pure';

export interface Wild {
  /** The card turned up; null: only printed jokers are wild. */
  card: Card | null;
  /** Only this rank and suit are wild, not the whole rank. */
  exact: boolean;
  /** A wild card in its natural place keeps a sequence pure. */
  naturalPure: boolean;
}
export const NO_WILD: Wild = { card: null, exact: false, naturalPure: true };

export const GROUP_MIN = 3;
export const GROUPED_CARDS = 13;
export const GROUPS_MAX = 4;
export const POINTS_CAP = 80;
const RUN_MAX = 13;
const SEQUENCES_MIN = 2;

/** Printed joker, wild rank, and every ace if a printed joker was turned up. */
export function isWild(wild: Wild, card: Card): boolean {
  if (isJoker(card)) return true;
  if (wild.card === null) return false;
  if (isJoker(wild.card)) return rankOf(card) === 0;
  if (rankOf(card) !== rankOf(wild.card)) return false;
  return !wild.exact || suitOf(card) === suitOf(wild.card);
}

/** Whether these cards fit different places of a run with n places, at most thirteen. */
function fitsRun(cards: readonly Card[], n: number): boolean {
  const suit = suitOf(cards[0] ?? '');
  const ranks = cards.map(rankOf);
  if (n > RUN_MAX || cards.some((c) => suitOf(c) !== suit) || new Set(ranks).size !== ranks.length)
    return false;
  for (let low = 0; low + n <= PLACE_ACE_HIGH + 1; low++) {
    const inside = (place: number) => place >= low && place < low + n;
    if (ranks.every((r) => inside(r) || (r === 0 && inside(PLACE_ACE_HIGH)))) return true;
  }
  return false;
}

function isPure(wild: Wild, cards: readonly Card[]): boolean {
  if (cards.some(isJoker) || (!wild.naturalPure && cards.some((c) => isWild(wild, c)))) return false;
  return fitsRun(cards, cards.length);
}

function isSet(naturals: readonly Card[]): boolean {
  const suits = new Set(naturals.map(suitOf));
  return suits.size === naturals.length && naturals.every((c) => rankOf(c) === rankOf(naturals[0] ?? c));
}

/** Kind of group, interpreted in the player's favor. Jokers alone are a set, never a sequence. */
export function judgeGroup(wild: Wild, cards: readonly Card[]): GroupKind {
  if (cards.length < GROUP_MIN) return 'none';
  if (isPure(wild, cards)) return 'pure';
  const naturals = cards.filter((c) => !isWild(wild, c));
  if (naturals.length > 0 && fitsRun(naturals, cards.length)) return 'sequence';
  return isSet(naturals) ? 'set' : 'none';
}

export function pointsOf(wild: Wild, cards: readonly Card[]): number {
  return cards.reduce((sum, c) => {
    if (isWild(wild, c)) return sum;
    const rank = rankOf(c);
    return sum + (rank === 0 || rank >= 9 ? 10 : rank + 1);
  }, 0);
}

export interface Judged {
  kinds: GroupKind[];
  /** Contains a pure sequence. */
  pure: boolean;
  /** Contains two sequences of any kind. */
  second: boolean;
  /** Contains two sequences, one of them pure. */
  based: boolean;
  /** All thirteen cards are in groups of three or more, which any declaration requires, valid or not. */
  complete: boolean;
  valid: boolean;
  /** Why the hand may not be declared; empty if it may. */
  reason: string;
  points: number;
}

function reasonOf(kinds: GroupKind[], groups: readonly (readonly Card[])[], rest: readonly Card[]): string {
  const sequences = kinds.filter((k) => k === 'pure' || k === 'sequence').length;
  if (rest.length > 0) return say('group.fault.rest', { n: rest.length });
  if (groups.some((g) => g.length < GROUP_MIN)) return say('group.fault.short');
  if (kinds.includes('none')) return say('group.fault.none');
  if (!kinds.includes('pure')) return say('group.fault.pure');
  return sequences < SEQUENCES_MIN ? say('group.fault.second') : '';
}

/** Judges a grouping as it is, without moving cards to improve it. `rest`: the ungrouped cards. */
export function judgeGrouping(
  wild: Wild,
  groups: readonly (readonly Card[])[],
  rest: readonly Card[],
): Judged {
  const kinds = groups.map((g) => judgeGroup(wild, g));
  const sequences = kinds.filter((k) => k === 'pure' || k === 'sequence').length;
  const pure = kinds.includes('pure');
  const second = sequences >= SEQUENCES_MIN;
  const based = pure && second;
  const counted = groups.filter((_, i) => !based || kinds[i] === 'none').flat();
  const reason = reasonOf(kinds, groups, rest);
  const points = Math.min(POINTS_CAP, pointsOf(wild, [...counted, ...rest]));
  const complete = rest.length === 0 && groups.every((g) => g.length >= GROUP_MIN);
  return {
    kinds,
    pure,
    second,
    based,
    complete,
    valid: reason === '',
    reason,
    points: reason === '' ? 0 : points,
  };
}
