import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { day, timeOfDay } from './time';

beforeEach(() => {
  vi.useFakeTimers({ now: new Date('2026-11-30T12:00:00Z') });
});
afterEach(() => {
  vi.useRealTimers();
});

it('breaks neither a day nor a time of the day', () => {
  expect(day('2026-11-24T12:00:00Z')).toBe('Nov\u00a024');
  expect(timeOfDay('2026-11-24T12:07:00Z')).toMatch(/^\d\d:07\u00a0[AP]M$/);
});

it('names the year of a day in another year', () => {
  expect(day('2025-11-24T12:00:00Z')).toBe('Nov\u00a024,\u00a02025');
  expect(day('2027-02-01T12:00:00Z')).toBe('Feb\u00a01,\u00a02027');
});
