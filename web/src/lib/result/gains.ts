/* What a settled game brought beside chips and points, found by the public contract: the account before and after, and the
 * notifications that were written with the game. Pure. */
import type { Me } from '$lib/api/client';
import type { SettledSeat } from '@rummyd/client';

export interface Earned {
  id: string;
  gold: number;
}
export interface Amount {
  kind: 'silver' | 'gold' | 'clover';
  amount: number;
}

/** The chips and clover points that moved, what was won most clearly first. */
export function amountsOf({ silver, gold, clover }: SettledSeat): Amount[] {
  const amounts: Amount[] = [
    { kind: 'silver', amount: silver ?? 0 },
    { kind: 'gold', amount: gold ?? 0 },
    { kind: 'clover', amount: clover ?? 0 },
  ];
  return amounts
    .filter(({ amount }) => amount !== 0)
    .sort((a, b) => Math.sign(b.amount) - Math.sign(a.amount));
}

/** Why a game brought a player no points, rating or rewards; null: it counted. */
export function notCounted(seat: SettledSeat, left: boolean): 'left' | 'none' | 'bot' | 'same' | null {
  if (seat.took_part === false) return left ? 'left' : seat.own_turns ? 'bot' : 'none';
  return seat.same_people === true ? 'same' : null;
}

/** By how much the rating moved; null while there was none before, or there is none now. */
export function ratingChange(before: Me | null, now: number | null): number | null {
  const old = before?.rating.value ?? null;
  return old === null || now === null ? null : now - old;
}

export interface Told {
  at: string;
  kind: string;
  data: Record<string, unknown>;
}

/** Of what was told those achievements that came with a game: they have the very time at which it was settled. */
export function earnedAt(told: readonly Told[], endedAt: string): Earned[] {
  return told.flatMap(({ at, kind, data }) =>
    kind === 'achievement' && at === endedAt && typeof data['id'] === 'string'
      ? [{ id: data['id'], gold: typeof data['gold'] === 'number' ? data['gold'] : 0 }]
      : [],
  );
}
