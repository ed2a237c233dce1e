/* Proposals for the player: which orders of the chosen cards make a meld, where a card may be laid
 * off, which joker it frees. Only to offer choices and to mark what looks right — the server decides.
 * Rules: rummy51 (sets of 3–4 without a suit twice and at most one joker; runs up to 14 cards, ace low
 * and high, any number of jokers but one natural card at least; one joker a group while opening). */
import {
  isJoker,
  PLACE_ACE_HIGH,
  rankOf,
  suitOf,
  valueInHand,
  valueOfRank,
  type Card,
  type Suit,
} from './cards';
import type { Meld } from './state';
import type { End, MeldKind } from './protocol';

export interface MeldProposal {
  kind: MeldKind;
  cards: Card[];
  low: number;
  worth: number;
}

const RUN_MAX = 14;
const PLACES = PLACE_ACE_HIGH + 1;

function setProposal(naturals: Card[], jokers: Card[]): MeldProposal | null {
  const n = naturals.length + jokers.length;
  const first = naturals[0];
  if (!first || n < 3 || n > 4 || jokers.length > 1) return null;
  const rank = rankOf(first);
  if (naturals.some((c) => rankOf(c) !== rank)) return null;
  if (new Set(naturals.map(suitOf)).size !== naturals.length) return null;
  return { kind: 'set', cards: [...naturals, ...jokers], low: rank, worth: n * valueOfRank(rank) };
}

/** The run that begins at place `low` with exactly these cards, or null. */
function runFrom(low: number, naturals: Card[], jokers: Card[]): MeldProposal | null {
  const n = naturals.length + jokers.length;
  if (low + n > PLACES) return null;
  const left = [...naturals];
  const spare = [...jokers];
  const cards: Card[] = [];
  let worth = 0;
  for (let place = low; place < low + n; place++) {
    const at = left.findIndex((c) => rankOf(c) === place % PLACE_ACE_HIGH);
    const card = at >= 0 ? left.splice(at, 1)[0] : spare.shift();
    if (card === undefined) return null;
    cards.push(card);
    worth += valueOfRank(place % PLACE_ACE_HIGH);
  }
  return left.length === 0 ? { kind: 'run', cards, low, worth } : null;
}

function runProposals(naturals: Card[], jokers: Card[]): MeldProposal[] {
  const n = naturals.length + jokers.length;
  const suit = naturals[0] ? suitOf(naturals[0]) : null;
  if (!suit || n < 3 || n > RUN_MAX || naturals.some((c) => suitOf(c) !== suit)) return [];
  const found: MeldProposal[] = [];
  for (let low = 0; low + n <= PLACES; low++) {
    const run = runFrom(low, naturals, jokers);
    if (run) found.push(run);
  }
  return found;
}

/** Every way the chosen cards make one meld, the most valuable first. */
export function proposeMelds(cards: readonly Card[], opening: boolean): MeldProposal[] {
  const jokers = cards.filter(isJoker);
  const naturals = cards.filter((c) => !isJoker(c));
  if (naturals.length === 0 || (opening && jokers.length > 1)) return [];
  const set = setProposal(naturals, jokers);
  const all = [...(set ? [set] : []), ...runProposals(naturals, jokers)];
  return all.sort((a, b) => b.worth - a.worth);
}

/** Card a run wants at `place`, as rank and suit without a copy number ("TH"). */
function wanted(place: number, suit: Suit): string {
  return 'A23456789TJQK'.charAt(place % PLACE_ACE_HIGH) + suit;
}

/** Ends of a laid run (or the set itself: null) that would take the card. */
export function layOffEnds(card: Card, meld: Meld): (End | null)[] {
  if (meld.kind === 'set') {
    if (isJoker(card) || meld.cards.length >= 4 || rankOf(card) !== meld.low) return [];
    return meld.cards.some((c) => suitOf(c) === suitOf(card)) ? [] : [null];
  }
  const suit = meld.suit;
  if (!suit || meld.cards.length >= RUN_MAX) return [];
  const ends: End[] = [];
  const high = meld.low + meld.cards.length;
  if (meld.low > 0 && (isJoker(card) || card.startsWith(wanted(meld.low - 1, suit)))) ends.push('low');
  if (high < PLACES && (isJoker(card) || card.startsWith(wanted(high, suit)))) ends.push('high');
  return ends;
}

/** Jokers of the meld that this card would free. */
export function swappable(card: Card, meld: Meld): Card[] {
  if (isJoker(card)) return [];
  const jokers = meld.cards.filter(isJoker);
  if (meld.kind === 'set') {
    const taken = meld.cards.some((c) => suitOf(c) === suitOf(card));
    return rankOf(card) === meld.low && !taken ? jokers : [];
  }
  const suit = meld.suit;
  if (!suit) return [];
  return meld.cards.filter((c, i) => isJoker(c) && card.startsWith(wanted(meld.low + i, suit)));
}

/** The card a joker of a laid meld stands for, in words of rank and suit; "" for one in a set. */
export function standsFor(meld: Meld, index: number): string {
  const card = meld.cards[index];
  if (!card || !isJoker(card) || meld.kind === 'set' || !meld.suit) return '';
  return wanted(meld.low + index, meld.suit);
}

export type DiscardKind = 'single' | 'bury' | 'jokers' | null;

/** What throwing these cards would be: one card, burying a joker, the last jokers, or nothing allowed. */
export function discardKind(cards: readonly Card[], handN: number): DiscardKind {
  const jokers = cards.filter(isJoker).length;
  if (jokers === cards.length && jokers > 0) return cards.length === handN ? 'jokers' : null;
  if (cards.length === 1) return 'single';
  return cards.length === 2 && jokers === 1 ? 'bury' : null;
}

/** A joker goes below its natural card. */
export function discardOrder(cards: readonly Card[]): Card[] {
  return [...cards].sort((a, b) => Number(isJoker(b)) - Number(isJoker(a)));
}

export function sumInHand(cards: readonly Card[]): number {
  return cards.reduce((sum, c) => sum + valueInHand(c), 0);
}
