/* What a player can count at a table: visible cards, partners in the hand, and cards still to come. */
import { isJoker, RANKS, rankOf, SUITS, type Card } from '$lib/cards/cards';
import { isWild, type Wild } from '$lib/rules/groups';
import { proposeMelds, type Laid } from '$lib/rules/melds';
import type { Rules } from '$lib/rules/rules';

/** The table as seen by the seat. */
export interface Seen {
  rules: Rules;
  phase: string;
  hand: readonly Card[];
  /** From bottom to top. */
  discard: readonly Card[];
  melds: readonly Pick<Laid, 'cards'>[];
  wildCard: Card | null;
  wild: Wild;
  opened: boolean;
  /** Turns of this seat so far, including this one. */
  round: number;
  stagedSum: number;
}

/** Rank and suit, without the pack. */
export const nameOf = (card: Card): string => card.slice(0, 2);

const DECK: readonly string[] = SUITS.flatMap((suit) => [...RANKS].map((rank) => rank + suit));

/** Cards that lie face up on the table: discarded, melded, or turned up. */
export function openCards(seen: Seen): Card[] {
  const turned = seen.wildCard === null ? [] : [seen.wildCard];
  return [...seen.discard, ...seen.melds.flatMap((meld) => meld.cards), ...turned];
}

/** How many cards of this rank lie face up on the table. */
export function rankOut(seen: Seen, card: Card): number {
  return openCards(seen).filter((open) => !isJoker(open) && rankOf(open) === rankOf(card)).length;
}

/** Number of unseen copies of a card such as "8H", which are in the stock or in other hands. */
function unseen(seen: Seen, name: string): number {
  const known = [...openCards(seen), ...seen.hand].filter((card) => nameOf(card) === name).length;
  return seen.rules.packs - known;
}

function complete(seen: Seen, a: Card, b: Card): string[] {
  return DECK.filter((name) => proposeMelds(seen.rules, [a, b, `${name}0`], false).length > 0);
}

/** The cards in `among` that could be in the same meld as `card`. */
export function partners(seen: Seen, card: Card, among: readonly Card[]): Card[] {
  return among.filter((other) => other !== card && !isJoker(other) && complete(seen, card, other).length > 0);
}

/** Number of unseen cards that would complete a meld of `card` and one of its partners. */
export function outs(seen: Seen, card: Card, among: readonly Card[]): number {
  const names = new Set(partners(seen, card, among).flatMap((other) => complete(seen, card, other)));
  return [...names].reduce((sum, name) => sum + unseen(seen, name), 0);
}

/** Whether the card is a joker, or wild at this table. */
export function isFree(seen: Seen, card: Card): boolean {
  return isJoker(card) || (seen.rules.family === 'declare' && isWild(seen.wild, card));
}
