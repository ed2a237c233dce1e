/* Advice for the seat to move, with reasons: a pure function of what the seat sees, its legal moves, and
 * the engine's arrangement of its hand. The advice is always a legal move. */
import type { LegalMove } from '@rummyd/client';
import type { Card } from '$lib/cards/cards';
import { judgeGroup } from '$lib/rules/groups';
import { proposeMelds } from '$lib/rules/melds';
import { cardPoints } from '$lib/rules/rules';
import { isFree, outs, partners, rankOut, type Seen } from './card-counts';

/** The engine's arrangement of these cards (`Engine.arrange`). */
export type Arrange = (cards: readonly Card[]) => { groups: Card[][]; rest: Card[]; finish: Card | null };

export type Reason =
  /** With the top discard. */
  | { code: 'makes'; kind: 'run' | 'set'; cards: Card[] }
  | { code: 'fits_nothing'; card: Card }
  | { code: 'would_oblige'; card: Card; min: number }
  | { code: 'may_not_take' }
  /** All melds of the hand together with staged cards. */
  | { code: 'opens'; worth: number; min: number }
  | { code: 'lays'; kind: 'run' | 'set'; worth: number }
  | { code: 'lays_off'; card: Card }
  | { code: 'declares'; finish: Card }
  | { code: 'goes_out' }
  | { code: 'puts_back'; min: number }
  | { code: 'no_partner'; card: Card }
  | { code: 'outs'; card: Card; n: number }
  | { code: 'rank_out'; card: Card; n: number }
  | { code: 'counts'; card: Card; n: number }
  | { code: 'leaves'; card: Card };

export interface Advice {
  move: LegalMove;
  reasons: Reason[];
}

function cardsOf(move: LegalMove): Card[] {
  return [...((move.d as { cards?: readonly Card[] }).cards ?? [])];
}

function kindOf(seen: Seen, cards: readonly Card[]): 'run' | 'set' {
  if (seen.rules.family === 'declare') return judgeGroup(seen.wild, cards) === 'set' ? 'set' : 'run';
  return proposeMelds(seen.rules, cards, false)[0]?.kind ?? 'run';
}

/** Worth of these melds in the opening turn; 0 if one of them is not allowed in that turn. */
function openingWorth(seen: Seen, melds: readonly Card[][]): number {
  const worths = melds.map((cards) => proposeMelds(seen.rules, cards, true)[0]?.worth ?? 0);
  return worths.includes(0) ? 0 : worths.reduce((sum, worth) => sum + worth, 0);
}

/** Whether taking the top discard now obliges the player to open in this turn. */
function obliges({ rules, opened, round }: Seen): boolean {
  return rules.discard_obliges === 1 && !opened && round > 1;
}

function adviseDraw(seen: Seen, moves: readonly LegalMove[], arrange: Arrange): Advice | null {
  const from = (pile: string) =>
    moves.find((move) => move.t === 'draw' && (move.d as { from: string }).from === pile);
  const stock = from('stock') ?? moves.find((move) => move.t === 'flip') ?? null;
  const take = from('discard');
  const top = seen.discard.at(-1);
  if (!take || top === undefined) return stock && { move: stock, reasons: [{ code: 'may_not_take' }] };
  const { groups } = arrange([...seen.hand, top]);
  const group = groups.find((cards) => cards.includes(top));
  if (!group) return { move: stock ?? take, reasons: stock ? [{ code: 'fits_nothing', card: top }] : [] };
  const makes: Reason = { code: 'makes', kind: kindOf(seen, group), cards: group };
  if (!obliges(seen)) return { move: take, reasons: [makes] };
  const { opening_min: min } = seen.rules;
  const worth = openingWorth(seen, groups);
  if (worth >= min && groups.flat().length <= seen.hand.length)
    return { move: take, reasons: [makes, { code: 'opens', worth, min }] };
  return { move: stock ?? take, reasons: stock ? [{ code: 'would_oblige', card: top, min }] : [] };
}

/** Melds and cards to lay before discarding. */
function adviseLaying(seen: Seen, moves: readonly LegalMove[], arrange: Arrange): Advice | null {
  const melds = moves.filter((move) => move.t === 'meld');
  const first = melds[0];
  const { opening_min: min } = seen.rules;
  if (first && !seen.opened && min > 0) {
    const cards = melds.flatMap(cardsOf);
    const worth = openingWorth(seen, melds.map(cardsOf)) + seen.stagedSum;
    if (new Set(cards).size === cards.length && worth >= min)
      return { move: first, reasons: [{ code: 'opens', worth, min }] };
  } else if (first) {
    const meld = proposeMelds(seen.rules, cardsOf(first), false)[0];
    if (meld) return { move: first, reasons: [{ code: 'lays', kind: meld.kind, worth: meld.worth }] };
  }
  const { rest } = arrange(seen.hand);
  const add = moves.find(({ t, d }) => {
    const { card = '' } = d as { card?: Card };
    return t === 'lay_off' && rest.includes(card) && !isFree(seen, card);
  });
  return add ? { move: add, reasons: [{ code: 'lays_off', card: (add.d as { card: Card }).card }] } : null;
}

function reasonsToThrow(seen: Seen, card: Card, loose: readonly Card[], hope: number): Reason[] {
  const mates = partners(seen, card, loose);
  const out = rankOut(seen, card);
  const left = mates.filter((mate) => partners(seen, mate, loose).length === 1);
  return [
    mates.length === 0 ? { code: 'no_partner', card } : { code: 'outs', card, n: hope },
    ...(out > 1 ? [{ code: 'rank_out' as const, card, n: out }] : []),
    { code: 'counts', card, n: cardPoints(seen.rules, card) },
    ...left.slice(0, 1).map((mate) => ({ code: 'leaves' as const, card: mate })),
  ];
}

/** If all cards are in groups, the one whose removal leaves the fewest points. */
function leastLoss(seen: Seen, single: readonly LegalMove[], arrange: Arrange): LegalMove | undefined {
  return single
    .map((move) => ({ move, card: cardsOf(move)[0] ?? '' }))
    .filter(({ card }) => !isFree(seen, card))
    .map(({ move, card }) => {
      const { rest, finish } = arrange(seen.hand.filter((other) => other !== card));
      const loose = [...rest, ...(finish ? [finish] : [])];
      return { move, loss: loose.reduce((sum, other) => sum + cardPoints(seen.rules, other), 0) };
    })
    .sort((a, b) => a.loss - b.loss)[0]?.move;
}

/** The card with the least chance of a meld; among equals, the one worth the most. */
function adviseThrow(seen: Seen, moves: readonly LegalMove[], arrange: Arrange): Advice | null {
  const throws = moves.filter((move) => move.t === 'discard');
  const winning = throws.find((move) => cardsOf(move).length === seen.hand.length);
  if (winning) return { move: winning, reasons: [{ code: 'goes_out' }] };
  const arranged = arrange(seen.hand);
  const loose = [...arranged.rest, ...(arranged.finish ? [arranged.finish] : [])].filter(
    (c) => !isFree(seen, c),
  );
  const single = throws.filter((move) => cardsOf(move).length === 1);
  const free = single.filter((move) => loose.includes(cardsOf(move)[0] ?? ''));
  const ranked = free
    .map((move) => {
      const card = cardsOf(move)[0] ?? '';
      return { move, card, hope: outs(seen, card, loose), points: cardPoints(seen.rules, card) };
    })
    .sort((a, b) => a.hope - b.hope || b.points - a.points);
  const best = ranked[0];
  if (best) return { move: best.move, reasons: reasonsToThrow(seen, best.card, loose, best.hope) };
  const any = leastLoss(seen, single, arrange) ?? single[0] ?? throws[0];
  return any ? { move: any, reasons: [] } : null;
}

/** What to do next, and why; null if there is nothing to do. `moves`: the legal ones, with hints. */
export function advise(seen: Seen, moves: readonly LegalMove[], arrange: Arrange): Advice | null {
  if (seen.phase === 'draw') return adviseDraw(seen, moves, arrange);
  if (seen.phase !== 'play') return null;
  const declare = moves.find((move) => move.t === 'declare');
  if (declare) {
    const { finish } = declare.d as { finish: Card };
    return { move: declare, reasons: [{ code: 'declares', finish }] };
  }
  const laid = seen.rules.family === 'meld' ? adviseLaying(seen, moves, arrange) : null;
  const thrown = laid ?? adviseThrow(seen, moves, arrange);
  if (thrown) return thrown;
  const back = moves.find((move) => move.t === 'cancel_draw' || move.t === 'take_back');
  if (back) return { move: back, reasons: [{ code: 'puts_back', min: seen.rules.opening_min }] };
  const only = moves.find((move) => move.t === 'lay_off'); /* two jokers, of which one must go first */
  return only ? { move: only, reasons: [] } : null;
}
