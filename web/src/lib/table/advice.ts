/* The coach at a table: what it is told. The engine is fetched when it is first asked. */
import { part } from '$lib/parts/parts.svelte';
import { advise, type Advice } from '$lib/coach/coach';
import { theEngine } from '$lib/engine/engine';
import type { TableGame } from './game.svelte';
import { mySeat, wildOf } from './state';

/** What the coach says of this moment; null: nothing. */
export async function adviceFor(game: TableGame): Promise<Advice | null> {
  const before = game.state;
  if (!before) return null;
  const engine = await part(theEngine);
  const moves = await game.askLegal();
  const { state } = game;
  if (!moves || !state || state.v !== before.v) return null;
  const { rules, phase, hand, discard, melds, wildCard, turn } = state;
  const mine = mySeat(state);
  const fields = Object.entries(rules).filter(([, value]) => typeof value === 'number');
  const table = { variant: rules.variant, params: Object.fromEntries(fields) as Record<string, number> };
  return advise(
    {
      ...{ rules, phase, hand, discard, melds, wildCard, wild: wildOf(state), stagedSum: turn.stagedSum },
      ...{ opened: mine?.opened ?? false, round: mine?.round ?? 1 },
    },
    moves,
    (cards) => engine.arrange(table, cards, wildCard),
  );
}
