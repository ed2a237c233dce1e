import { describe, expect, it } from 'vitest';
import { axisOf, lineOf, placeOn } from './plot';

describe('an axis', () => {
  it('has round steps around all values, and 0', () => {
    expect(axisOf([3, 88])).toEqual({ from: 0, to: 100, ticks: [0, 20, 40, 60, 80, 100] });
    expect(axisOf([-30, 640]).ticks).toEqual([-200, 0, 200, 400, 600, 800]);
    expect(axisOf([0.2]).ticks).toEqual([0, 0.05, 0.1, 0.15, 0.2]);
  });

  it.each([[[]], [[0]], [[0, 0]], [[-5]], [[1e9, -1e9]]])('is never empty: %j', (values) => {
    const axis = axisOf(values);
    expect(axis.to).toBeGreaterThan(axis.from);
    expect(axis.ticks.length).toBeGreaterThan(1);
    for (const value of values) expect(axis.from <= value && value <= axis.to).toBe(true);
    expect(axis.ticks).toContain(0);
  });

  it('puts values between its ends', () => {
    const axis = axisOf([0, 100]);
    expect([0, 25, 100].map((value) => placeOn(axis, value, 50, 250))).toEqual([50, 100, 250]);
    expect(placeOn(axis, 100, 250, 50)).toBe(50); // up a page
  });

  it('draws a line from the oldest at the left to the newest at the right', () => {
    expect(lineOf([0, 10, 5], 100, 20)).toBe('0.0,20.0 50.0,0.0 100.0,10.0');
  });
});
