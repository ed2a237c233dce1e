import { describe, expect, test } from 'vitest';
import { SECOND_TAP_MS, tapped, unlessHasty } from './taps';

/** How often something is done by a click after presses at these times. */
function done(times: number[], detail = 1): number {
  let n = 0;
  for (const at of times) tapped(at);
  unlessHasty({ detail } as MouseEvent, () => n++);
  return n;
}

describe('a second tap', () => {
  test('does nothing within the time', () => {
    expect(done([10_000, 10_001])).toBe(0);
    expect(done([20_000, 20_000 + SECOND_TAP_MS - 1])).toBe(0);
  });
  test('counts after it', () => {
    expect(done([30_000, 30_000 + SECOND_TAP_MS])).toBe(1);
    expect(done([40_000])).toBe(1);
  });
  test('is no key', () => {
    expect(done([50_000, 50_001], 0)).toBe(1);
  });
});
