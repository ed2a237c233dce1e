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
  it('is told in sentences', () => {
    expect(bonusSaid(bonus, 45)).toEqual([
      'Last midnight brought 40 silver.',
      'The next one brings 45 silver.',
    ]);
    expect(bonusSaid({ ...bonus, today_lost: 30 }, 45)[0]).toBe(
      'Last midnight brought 40 silver, 30 of it over the cap.',
    );
    expect(bonusSaid({ ...bonus, today_amount: null, played_today: false }, 12)).toEqual([
      'The next one brings 45 silver.',
      'As your purse is now, 33 of it would be lost over the cap.',
      'Finish a game today to go on with your streak.',
    ]);
  });
});
