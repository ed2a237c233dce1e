/* Which of today's deals the lobby offers. Pure. */
import type { DailyDeal } from './daily.svelte';

/** The deal in progress, otherwise the deal of the game played last, otherwise the first unplayed deal. */
export function nextDeal(deals: readonly DailyDeal[], last: string): DailyDeal | undefined {
  const open = deals.filter((deal) => deal.own === null);
  return (
    deals.find((deal) => deal.own?.state === 'playing') ??
    open.find((deal) => deal.variant === last) ??
    open[0] ??
    deals[0]
  );
}
