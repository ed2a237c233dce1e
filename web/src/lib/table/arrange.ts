/* Groupings of a hand by the engine, which is loaded on first use. */
import { theEngine } from '$lib/engine/engine';
import { part } from '$lib/parts/parts.svelte';
import type { Card } from '$lib/cards/cards';
import type { Arrangement } from '@rummyd/engine';
import type { TableState } from './state';

/** Groups cards as well as the rules and the wild card of the table allow. */
export async function arranger({
  rules,
  wildCard,
}: Pick<TableState, 'rules' | 'wildCard'>): Promise<(cards: readonly Card[]) => Arrangement> {
  const engine = await part(theEngine);
  const fields = Object.entries(rules).filter(([, value]) => typeof value === 'number');
  const table = { variant: rules.variant, params: Object.fromEntries(fields) as Record<string, number> };
  return (cards) => engine.arrange(table, cards, wildCard);
}
