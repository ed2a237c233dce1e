import { describe, expect, it } from 'vitest';
import { changeOf, formOf, pendingSaid, type Limits, type Pending } from './limits';

const LIMITS: Limits = {
  minutes_per_day: 90,
  purchases_per_day: 2050,
  excluded_until: null,
  minutes_today: 12,
  purchases_today: 0,
  pending: [],
};
const pending = (limit: Pending['limit'], value: number | null, until: string | null = null): Pending => ({
  limit,
  value,
  until,
  at: '2026-11-24T10:00:00.000Z',
});

describe('limits in a form', () => {
  it('are shown in whole units, and as an empty field without a limit', () => {
    expect(formOf(LIMITS, 'eur')).toEqual({ minutes: 90, purchases: 20.5, excludeDays: null });
    expect(formOf({ ...LIMITS, purchases_per_day: 500 }, 'jpy').purchases).toBe(500);
    expect(formOf({ ...LIMITS, minutes_per_day: null }, 'eur').minutes).toBe(null);
  });
  it('change only what was changed', () => {
    const form = formOf(LIMITS, 'eur');
    expect(changeOf(form, LIMITS, 'eur')).toEqual({});
    expect(changeOf({ ...form, minutes: 30 }, LIMITS, 'eur')).toEqual({ minutes_per_day: 30 });
    expect(changeOf({ ...form, purchases: 0.29 }, LIMITS, 'eur')).toEqual({ purchases_per_day: 29 });
    expect(changeOf({ ...form, excludeDays: 7 }, LIMITS, 'eur')).toEqual({ exclude_days: 7 });
  });
  it('are lifted by an empty field', () => {
    const change = changeOf({ minutes: null, purchases: null, excludeDays: 0 }, LIMITS, 'eur');
    expect(change).toEqual({ minutes_per_day: null, purchases_per_day: null, exclude_days: 0 });
  });
});

describe('a limit that becomes looser', () => {
  it.each([
    [pending('minutes_per_day', 120), '120 minutes of play per day'],
    [pending('minutes_per_day', null), 'no limit on playing time'],
    [pending('purchases_per_day', 5000), 'purchases up to €50.00 per day'],
    [pending('purchases_per_day', null), 'no limit on purchases'],
    [pending('excluded_until', null), 'your break is over'],
    [pending('excluded_until', null, '2026-12-01T00:00:00.000Z'), 'a shorter break'],
  ])('%o', (one, said) => {
    expect(pendingSaid(one, 'eur')).toBe(said);
  });
});
