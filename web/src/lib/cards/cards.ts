/* Cards as named in the protocol: rank, suit, copy ("TH1"), jokers "X1".."X6". Pure helpers. */
import { say } from '$lib/messages/messages';

export type Card = string;
export type Suit = 'C' | 'S' | 'H' | 'D';

/** Suits and ranks in pack order (docs/fairness.md). */
export const SUITS: readonly Suit[] = ['C', 'S', 'H', 'D'];
export const RANKS = 'A23456789TJQK';
/** Position of the high ace in a run; the low ace is at 0. */
export const PLACE_ACE_HIGH = 13;

export function isJoker(card: Card): boolean {
  return card.startsWith('X');
}

/** 0 (ace) … 12 (king); -1 for a joker. */
export function rankOf(card: Card): number {
  return isJoker(card) ? -1 : RANKS.indexOf(card.charAt(0));
}

export function suitOf(card: Card): Suit | null {
  return isJoker(card) ? null : (card.charAt(1) as Suit);
}

/** "10 of hearts", for labels and announcements. */
export function cardName(card: Card): string {
  const suit = suitOf(card);
  return suit ? say('cards.name', { rank: card.charAt(0), suit }) : say('cards.joker');
}

const inSentence = (card: Card) => ({ rank: card.charAt(0), suit: suitOf(card) ?? 'X' });

/** "10 of hearts" as the subject of a sentence: with its article in languages where the article depends on
 * the card ("la dame de cœur"), without it in English, where the sentence contains it. */
export function cardSubject(card: Card): string {
  return say('cards.as_subject', inSentence(card));
}

/** The same as the object of a sentence, which has a case ending in Serbian. */
export function cardObject(card: Card): string {
  return say('cards.as_object', inSentence(card));
}

const SIGNS: Record<Suit, string> = { C: '♣', S: '♠', H: '♥', D: '♦' };

/** "10♥", as printed on the card, for sentences about it. */
export function cardSign(card: Card): string {
  const suit = suitOf(card);
  return suit ? card.charAt(0).replace('T', '10') + SIGNS[suit] : say('cards.joker');
}

/** "10" or "queen", without the suit. */
export function rankName(card: Card): string {
  return say('cards.rank', { rank: card.charAt(0) });
}

export function cardNames(cards: readonly Card[]): string {
  if (cards.length === 0) return say('cards.none');
  return cards.map(cardName).join(', ');
}

export function cardObjects(cards: readonly Card[]): string {
  return cards.map(cardObject).join(', ');
}

/** Alternating colors, so that neighboring suits in a hand are easy to distinguish. */
const SUIT_ORDER: Record<Suit, number> = { S: 0, H: 1, C: 2, D: 3 };

function suitKey(card: Card): number {
  const suit = suitOf(card);
  return suit ? SUIT_ORDER[suit] : 4;
}

function compare(a: number[], b: number[]): number {
  for (let i = 0; i < a.length; i++) {
    const d = (a[i] ?? 0) - (b[i] ?? 0);
    if (d !== 0) return d;
  }
  return 0;
}

export type SortKey = 'suit' | 'rank';

const KEYS: Record<SortKey, (card: Card) => number[]> = {
  suit: (card) => [suitKey(card), rankOf(card)],
  rank: (card) => [isJoker(card) ? 99 : rankOf(card), suitKey(card)],
};

/** Negative: `a` comes before `b`. */
export function compareBy(by: SortKey, a: Card, b: Card): number {
  return compare(KEYS[by](a), KEYS[by](b)) || (a < b ? -1 : 1);
}

export function sortCards(cards: readonly Card[], by: SortKey): Card[] {
  return [...cards].sort((a, b) => compareBy(by, a, b));
}
