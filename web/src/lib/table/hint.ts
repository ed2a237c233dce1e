/* A hint for the player's turn: melds to lay, with their total worth; otherwise, cards to lay off;
 * otherwise, what to do instead. */
import type { Advice } from '$lib/coach/coach';
import type { Card } from '$lib/cards/cards';
import { proposeMelds } from '$lib/rules/melds';
import type { LegalMove } from '@rummyd/client';
import { adviceOf, type Scope } from './advice';
import { mySeat, type TableState } from './state';

export interface Hint {
  /** Melds that can be laid one after the other. */
  melds: readonly LegalMove[];
  /** Total worth of these melds and the staged ones. */
  worth: number;
  /** They open. */
  opens: boolean;
  /** Cards to lay off or to swap for a joker. */
  adds: readonly LegalMove[];
  /** What to do if nothing can be melded. */
  advice: Advice | null;
}

const ADDS = new Set<string>(['lay_off', 'swap']);

/** Hint about what can be melded in this state; null: nothing. */
export function hintToLay(state: TableState, moves: readonly LegalMove[]): Hint | null {
  const melds = moves.filter(({ t }) => t === 'meld');
  const adds = moves.filter(({ t }) => ADDS.has(t));
  if (melds.length + adds.length === 0) return null;
  const opened = mySeat(state)?.opened ?? false;
  const opening = !opened || state.turn.openingTurn;
  const worths = melds.map(({ d }) => {
    const { cards } = d as { cards: readonly Card[] };
    return proposeMelds(state.rules, cards, opening)[0]?.worth ?? 0;
  });
  const worth = worths.reduce((sum, one) => sum + one, opened ? 0 : state.turn.stagedSum);
  return { melds, worth, opens: !opened && state.rules.opening_min > 0, adds, advice: null };
}

export async function hintOf(state: TableState, moves: readonly LegalMove[], scope: Scope): Promise<Hint> {
  const toLay = hintToLay(state, moves);
  if (toLay) return toLay;
  /* If the engine cannot be loaded, there is still a hint, but it names no card. */
  const advice = await adviceOf(state, moves, scope).catch(() => null);
  return { melds: [], worth: 0, opens: false, adds: [], advice };
}
