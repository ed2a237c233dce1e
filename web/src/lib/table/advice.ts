/* Advice at a table: collects the coach's inputs. The engine is loaded on first use. */
import { advise, type Advice } from '$lib/coach/coach';
import type { Seen } from '$lib/coach/card-counts';
import type { LegalMove } from '@rummyd/client';
import { arranger } from './arrange';
import type { TableGame } from './game.svelte';
import { mySeat, wildOf, type TableState } from './state';

/** hand: advice from the player's hand and the top discard only, without counting other cards on the
 * table. */
export type Scope = 'table' | 'hand';

function seenOf(state: TableState, scope: Scope): Seen {
  const { rules, phase, hand, discard, melds, wildCard, turn } = state;
  const mine = mySeat(state);
  return {
    ...{ rules, phase, hand, wildCard, wild: wildOf(state), stagedSum: turn.stagedSum },
    ...{ opened: mine?.opened ?? false, round: mine?.round ?? 1 },
    ...(scope === 'table' ? { discard, melds } : { discard: discard.slice(-1), melds: [] }),
  };
}

/** Advice for this state and these legal moves; null: nothing to do. */
export async function adviceOf(
  state: TableState,
  moves: readonly LegalMove[],
  scope: Scope,
): Promise<Advice | null> {
  return advise(seenOf(state, scope), moves, await arranger(state));
}

/** The coach's current advice; null: nothing to do. */
export async function adviceFor(game: TableGame): Promise<Advice | null> {
  const before = game.state;
  if (!before) return null;
  const moves = await game.askLegal();
  const { state } = game;
  if (!moves || !state || state.v !== before.v) return null;
  return adviceOf(state, moves, 'table');
}
