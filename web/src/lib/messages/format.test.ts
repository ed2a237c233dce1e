/* Texts that Intl formats in the page's language. */
import { expect, it } from 'vitest';
import { waiting } from './format';

it.each([
  [1, 'in 1 second'],
  [59, 'in 59 seconds'],
  [60, 'in 60 seconds'],
  [61, 'in 2 minutes'],
  [840, 'in 14 minutes'],
  [3599, 'in 1 hour'],
  [7201, 'in 3 hours'],
  [86_400, 'in 24 hours'],
  [86_401, 'in 25 hours'],
])('%i seconds to wait are %s', (seconds, text) => {
  expect(waiting(seconds)).toBe(text);
});
