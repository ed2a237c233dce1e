import { expect, it } from 'vitest';
import { day, timeOfDay } from './time';

it('breaks neither a day nor a time of the day', () => {
  expect(day('2026-11-24T12:00:00Z')).toBe('Nov\u00a024');
  expect(timeOfDay('2026-11-24T12:07:00Z')).toMatch(/^\d\d:07\u00a0[AP]M$/);
});
