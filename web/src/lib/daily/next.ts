/* Which of today's deals the lobby offers. Pure. */
import type { DailyDeal } from './daily.svelte';

/** The one in progress, otherwise that of the last game played, otherwise the first unplayed one. */
export function nextDeal(deals: readonly DailyDeal[], last: string): DailyDeal | undefined {
  const open = deals.filter((deal) => deal.own === null);
  return (
    deals.find((deal) => deal.own?.state === 'playing') ??
    open.find((deal) => deal.variant === last) ??
    open[0] ??
    deals[0]
  );
}
