import { expect, it } from 'vitest';
import type { DailyDeal } from './daily.svelte';
import { nextDeal } from './next';

const deal = (variant: string, state: string | null = null) =>
  ({ variant, entrants: 0, own: state && { state } }) as DailyDeal;
const next = (...deals: DailyDeal[]) => nextDeal(deals, 'rami')?.variant;

it('the lobby offers the deal under way, that of the last game, the next, or the one that is done', () => {
  expect(next(deal('treff'), deal('rami'), deal('points', 'playing'))).toBe('points');
  expect(next(deal('treff'), deal('rami'))).toBe('rami');
  expect(next(deal('points', 'done'), deal('treff'), deal('rami', 'done'))).toBe('treff');
  expect(next(deal('points', 'done'))).toBe('points');
  expect(next()).toBeUndefined();
});
