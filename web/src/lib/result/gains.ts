/* What the player gained in a settled game in addition to chips and points. Derived from the public API:
 * the account before and after, and the notifications that came with the game. Pure. */
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

/** The chips and clover points that changed, gains first. */
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

/** Why a player got no points, rating, or rewards for a game; null if it counted. */
export function notCounted(seat: SettledSeat, left: boolean): 'left' | 'none' | 'bot' | 'same' | null {
  if (seat.took_part === false) return left ? 'left' : seat.own_turns ? 'bot' : 'none';
  return seat.same_people === true ? 'same' : null;
}

/** The change of the rating; null if there was no rating before, or there is none now. */
export function ratingChange(before: Me | null, now: number | null): number | null {
  const old = before?.rating.value ?? null;
  return old === null || now === null ? null : now - old;
}

export interface Told {
  at: string;
  kind: string;
  data: Record<string, unknown>;
}

/** The achievements among the notifications that came with a game, whose time is exactly that of its
 * settlement. */
export function earnedAt(told: readonly Told[], endedAt: string): Earned[] {
  return told.flatMap(({ at, kind, data }) =>
    kind === 'achievement' && at === endedAt && typeof data['id'] === 'string'
      ? [{ id: data['id'], gold: typeof data['gold'] === 'number' ? data['gold'] : 0 }]
      : [],
  );
}
