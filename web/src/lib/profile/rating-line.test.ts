import { expect, test } from 'vitest';
import { ratingLine } from './rating-line';

test('the oldest is at the left, the highest at the top', () => {
  expect(ratingLine([7000, 8000, 7500], 100, 40)).toBe('0.0,40.0 50.0,0.0 100.0,20.0');
});

test('what never changed runs in the middle', () => {
  expect(ratingLine([7000, 7000], 100, 40)).toBe('0.0,20.0 100.0,20.0');
  expect(ratingLine([7000], 100, 40)).toBe('0.0,20.0');
});
