/* Suggestions for the player: which orders of the selected cards make a meld, where a card may be laid off,
 * and which joker it frees. Only for choices and highlights; the server decides. Differences between
 * variants come from their rows (rules.ts). */
import { isJoker, PLACE_ACE_HIGH, rankOf, suitOf, type Card, type Suit } from '$lib/cards/cards';
import type { End, MeldKind } from '@rummyd/client';
import { endsFit, jokersFit, placePoints, rankPoints, type Rules } from './rules';

export interface MeldProposal {
  kind: MeldKind;
  cards: Card[];
  low: number;
  worth: number;
}
/** A meld on the table. */
export interface Laid {
  kind: MeldKind;
  low: number;
  suit: Suit | null;
  cards: Card[];
}

const PLACES = PLACE_ACE_HIGH + 1;
const MELD_MIN = 3;
const ANY_NUMBER = 14;

function jokersMax(rules: Rules, opening: boolean): number {
  return opening ? rules.jokers_opening_max : ANY_NUMBER;
}

function setProposal(rules: Rules, naturals: Card[], jokers: Card[], most: number): MeldProposal | null {
  const n = naturals.length + jokers.length;
  const first = naturals[0];
  if (!first || n < MELD_MIN || n > rules.set_max) return null;
  if (!jokersFit(rules, jokers.length, naturals.length, Math.min(most, rules.jokers_set_max))) return null;
  const rank = rankOf(first);
  if (naturals.some((c) => rankOf(c) !== rank)) return null;
  if (new Set(naturals.map(suitOf)).size !== naturals.length) return null;
  return { kind: 'set', cards: [...naturals, ...jokers], low: rank, worth: n * rankPoints(rules, rank) };
}

function jokersTouch(cards: readonly Card[]): boolean {
  return cards.some((c, i) => i > 0 && isJoker(c) && isJoker(cards[i - 1] ?? ''));
}

/** The run that begins at place `low` with exactly these cards, or null. */
function runFrom(rules: Rules, low: number, naturals: Card[], jokers: Card[]): MeldProposal | null {
  const n = naturals.length + jokers.length;
  if (!endsFit(rules, low, n)) return null;
  const left = [...naturals];
  const spare = [...jokers];
  const cards: Card[] = [];
  let worth = 0;
  for (let place = low; place < low + n; place++) {
    const at = left.findIndex((c) => rankOf(c) === place % PLACE_ACE_HIGH);
    const card = at >= 0 ? left.splice(at, 1)[0] : spare.shift();
    if (card === undefined) return null;
    cards.push(card);
    worth += placePoints(rules, place);
  }
  if (left.length > 0 || (rules.jokers_apart && jokersTouch(cards))) return null;
  return { kind: 'run', cards, low, worth };
}

function runProposals(rules: Rules, naturals: Card[], jokers: Card[], most: number): MeldProposal[] {
  const n = naturals.length + jokers.length;
  const suit = naturals[0] ? suitOf(naturals[0]) : null;
  if (!suit || n < MELD_MIN || naturals.some((c) => suitOf(c) !== suit)) return [];
  if (!jokersFit(rules, jokers.length, naturals.length, most)) return [];
  const found: MeldProposal[] = [];
  for (let low = 0; low + n <= PLACES; low++) {
    const run = runFrom(rules, low, naturals, jokers);
    if (run) found.push(run);
  }
  return found;
}

/** Every way in which the selected cards make one meld, most valuable first. */
export function proposeMelds(rules: Rules, cards: readonly Card[], opening: boolean): MeldProposal[] {
  const jokers = cards.filter(isJoker);
  const naturals = cards.filter((c) => !isJoker(c));
  const most = jokersMax(rules, opening);
  const set = setProposal(rules, naturals, jokers, most);
  const all = [...(set ? [set] : []), ...runProposals(rules, naturals, jokers, most)];
  return all.sort((a, b) => b.worth - a.worth);
}

/** The card that a run needs at `place`, as rank and suit without a copy number ("TH"). */
function wanted(place: number, suit: Suit): string {
  return 'A23456789TJQK'.charAt(place % PLACE_ACE_HIGH) + suit;
}

/** Whether the meld's jokers remain valid with this card at this end. */
function jokersRight(rules: Rules, card: Card, meld: Laid, end: End | null): boolean {
  const cards = end === 'low' ? [card, ...meld.cards] : [...meld.cards, card];
  const jokers = cards.filter(isJoker).length;
  const most = meld.kind === 'set' ? rules.jokers_set_max : ANY_NUMBER;
  if (!jokersFit(rules, jokers, cards.length - jokers, most)) return false;
  return meld.kind === 'set' || !rules.jokers_apart || !jokersTouch(cards);
}

function joinsSet(rules: Rules, card: Card, meld: Laid): boolean {
  if (meld.cards.length >= rules.set_max) return false;
  if (isJoker(card)) return rules.joker_joins_set === 1 && jokersRight(rules, card, meld, null);
  return rankOf(card) === meld.low && !meld.cards.some((c) => suitOf(c) === suitOf(card));
}

/** Ends of a meld (null for a set) that accept the card. */
export function layOffEnds(rules: Rules, card: Card, meld: Laid): (End | null)[] {
  if (meld.kind === 'set') return joinsSet(rules, card, meld) ? [null] : [];
  const suit = meld.suit;
  if (!suit) return [];
  const n = meld.cards.length + 1;
  const fits = (end: End, low: number, place: number) =>
    endsFit(rules, low, n) &&
    (isJoker(card) || card.startsWith(wanted(place, suit))) &&
    jokersRight(rules, card, meld, end);
  const ends: End[] = [];
  if (fits('low', meld.low - 1, meld.low - 1)) ends.push('low');
  if (fits('high', meld.low, meld.low + meld.cards.length)) ends.push('high');
  return ends;
}

/** Jokers of the meld that this card frees. */
export function swappable(rules: Rules, card: Card, meld: Laid): Card[] {
  if (isJoker(card)) return [];
  const jokers = meld.cards.filter(isJoker);
  if (meld.kind === 'set') {
    if (rules.swap_set_full && meld.cards.length < rules.set_max) return [];
    const taken = meld.cards.some((c) => suitOf(c) === suitOf(card));
    return rankOf(card) === meld.low && !taken ? jokers : [];
  }
  const suit = meld.suit;
  if (!suit) return [];
  return meld.cards.filter((c, i) => isJoker(c) && card.startsWith(wanted(meld.low + i, suit)));
}

/** The rank and suit, in words, of the card that a joker of a meld replaces; "" in a set. */
export function standsFor(meld: Laid, index: number): string {
  const card = meld.cards[index];
  if (!card || !isJoker(card) || meld.kind === 'set' || !meld.suit) return '';
  return wanted(meld.low + index, meld.suit);
}

/** Worth of the meld's cards. A joker counts as the card that it replaces. */
export function meldWorth(rules: Rules, meld: Pick<Laid, 'kind' | 'low' | 'cards'>): number {
  if (meld.kind === 'set') return meld.cards.length * rankPoints(rules, meld.low);
  return meld.cards.reduce((sum, _, i) => sum + placePoints(rules, meld.low + i), 0);
}

export type DiscardKind = 'single' | 'bury' | 'jokers' | null;

/** Kind of discard that these cards make: one card, burying a joker, or the last jokers; null: not
 * allowed. */
export function discardKind(rules: Rules, cards: readonly Card[], handN: number): DiscardKind {
  if (rules.family === 'declare') return cards.length === 1 ? 'single' : null;
  const jokers = cards.filter(isJoker).length;
  if (jokers === cards.length && jokers > 0) {
    const last = cards.length === handN && (rules.joker_buried === 1 || cards.length === 1);
    return last ? 'jokers' : null;
  }
  if (cards.length === 1) return 'single';
  return cards.length === 2 && jokers === 1 && rules.joker_buried ? 'bury' : null;
}

/** A buried joker goes below the natural card. */
export function discardOrder(cards: readonly Card[]): Card[] {
  return [...cards].sort((a, b) => Number(isJoker(b)) - Number(isJoker(a)));
}
