import { describe, expect, test } from 'vitest';
import type { Me } from '$lib/api/client';
import type { SettledSeat } from '@rummyd/client';
import { amountsOf, earnedAt, notCounted, ratingChange } from './gains';

const seat = (change: Partial<SettledSeat>) => change as SettledSeat;
const me = (value: number | null) => ({ rating: { value, games: 30 } }) as Me;
const AT = '2026-11-20T19:41:07.123Z';
const told = (kind: string, at: string, data: object) => ({
  kind,
  at,
  data: data as Record<string, unknown>,
});

describe('what a game brought', () => {
  test('wins first, losses last, and nothing of what did not move', () => {
    const kinds = (change: Partial<SettledSeat>) => amountsOf(seat(change)).map((a) => a.kind);
    expect(kinds({ silver: -10, gold: 4, clover: 110 })).toEqual(['gold', 'clover', 'silver']);
    expect(kinds({ silver: -10, gold: 0, clover: 110 })).toEqual(['clover', 'silver']);
    expect(kinds({ silver: 0, gold: 0, clover: 0 })).toEqual([]);
  });

  test('the rating moved from 7870 to 7971 by 101', () => {
    expect(ratingChange(me(7870), 7971)).toBe(101);
    expect(ratingChange(me(7870), 7800)).toBe(-70);
    expect(ratingChange(me(null), 7971)).toBeNull();
    expect(ratingChange(me(7870), null)).toBeNull();
    expect(ratingChange(null, 7971)).toBeNull();
  });

  test('why a game did not count', () => {
    const part = { took_part: true, same_people: false, turns: 9, own_turns: 9 };
    expect(notCounted(seat(part), false)).toBeNull();
    expect(notCounted(seat({ ...part, took_part: false }), true)).toBe('left');
    expect(notCounted(seat({ ...part, took_part: false, own_turns: 4 }), false)).toBe('bot');
    expect(notCounted(seat({ ...part, took_part: false, own_turns: 0 }), false)).toBe('none');
    expect(notCounted(seat({ ...part, same_people: true }), false)).toBe('same');
    expect(
      notCounted(seat({ took_part: null, same_people: null, turns: null, own_turns: null }), false),
    ).toBeNull();
  });

  test('achievements of this game alone', () => {
    const all = [
      told('achievement', AT, { id: 'first_win', gold: 10 }),
      told('level', AT, { level: 2, gold: 10 }),
      told('achievement', AT, { id: 'first_game', gold: 5 }),
      told('achievement', '2026-11-20T19:41:07.124Z', { id: 'wins_10', gold: 20 }),
      told('achievement', AT, { id: 7 }),
    ];
    expect(earnedAt(all, AT)).toEqual([
      { id: 'first_win', gold: 10 },
      { id: 'first_game', gold: 5 },
    ]);
  });
});
