import { describe, expect, test } from 'vitest';
import { SAME_SPOT_PX, SECOND_TAP_MS, tapped, unlessHasty } from './taps';

/** How often a click takes effect after presses at these times, each `apart` pixels to the right of the
 * previous one. */
function done(times: number[], { apart = 0, detail = 1 } = {}): number {
  let n = 0;
  times.forEach((timeStamp, i) => tapped({ timeStamp, clientX: 100 + i * apart, clientY: 200 }));
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
  test('counts at once in another place', () => {
    expect(done([50_000, 50_001], { apart: SAME_SPOT_PX })).toBe(1);
    expect(done([60_000, 60_001], { apart: SAME_SPOT_PX - 1 })).toBe(0);
  });
  test('is no key', () => {
    expect(done([70_000, 70_001], { detail: 0 })).toBe(1);
  });
});
