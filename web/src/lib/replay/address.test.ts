import { describe, expect, it } from 'vitest';
import { searchOf, spotOf } from './address';

const START = { hand: 1, turn: 0, move: null, seat: null };

describe('a moment in the address', () => {
  it('comes back as it was', () => {
    for (const spot of [
      START,
      { hand: 2, turn: 14, move: 1, seat: 1 },
      { hand: 1, turn: 3, move: null, seat: 0 },
    ])
      expect(spotOf(searchOf(spot))).toEqual(spot);
    expect(searchOf(START)).toBe('');
    expect(searchOf({ hand: 2, turn: 14, move: null, seat: 1 })).toBe('?hand=2&turn=14&seat=1');
  });

  it('that is none is the start, by all eyes', () => {
    for (const bad of [
      '?hand=0',
      '?hand=-1&turn=x',
      '?turn=1e3',
      '?seat=9',
      '?move=0',
      '?seat=',
      '?turn=99999999',
    ])
      expect(spotOf(bad), bad).toEqual(START);
  });
});
