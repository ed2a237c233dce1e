import { describe, expect, it } from 'vitest';
import { bonusSaid, silverRoom } from './bonus';

describe('the daily bonus', () => {
  it('has room for what neither the purse nor a table holds', () => {
    const hold = { table_id: '7', silver: 10, gold: 5 };
    expect(silverRoom({ silver: 70, silver_cap: 100, holds: [] })).toBe(30);
    expect(silverRoom({ silver: 70, silver_cap: 100, holds: [hold, { ...hold, table_id: '8' }] })).toBe(10);
  });
  const bonus = {
    due: false,
    streak: 2,
    played_today: true,
    today_amount: 40,
    today_lost: 0,
    tomorrow_amount: 45,
    tomorrow_at: '2026-11-22T00:00:00.000Z',
  };
  it('is described in sentences', () => {
    expect(bonusSaid(bonus, 45)).toEqual([
      'Last midnight you got 40 silver.',
      'Next time you’ll get 45 silver.',
    ]);
    expect(bonusSaid({ ...bonus, today_lost: 30 }, 45)[0]).toBe(
      'Last midnight you got 10 silver. That filled your purse.',
    );
    expect(bonusSaid({ ...bonus, today_lost: 40 }, 45)[0]).toBe('Last midnight your purse was full.');
    expect(bonusSaid({ ...bonus, today_amount: null, played_today: false }, 12)).toEqual([
      'Next time you’ll get 45 silver.',
      'Your purse has room for 12 silver right now.',
      'Finish a game today to keep your streak.',
    ]);
    expect(bonusSaid(bonus, 0)[2]).toBe('Your purse is full right now.');
  });
});
