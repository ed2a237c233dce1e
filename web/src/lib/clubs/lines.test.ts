import { describe, expect, it } from 'vitest';
import type { ClubLine } from './clubs';
import { goesOn, withPage } from './lines';

const line = (id: number): ClubLine => ({
  id: `${id}`,
  player_id: '1',
  nickname: 'Mia',
  avatar: 'fox',
  text: 'x',
  at: '',
});
const lines = (...ids: number[]) => ids.map(line);
const ids = (shown: readonly ClubLine[]) => shown.map((one) => Number(one.id));

describe('the messages of a club', () => {
  it('stand with the oldest first', () =>
    expect(ids(withPage([], lines(12, 9, 3), true))).toEqual([3, 9, 12]));
  it('keep what is older than the page, by number and not by letters', () =>
    expect(ids(withPage(lines(8, 9, 10), lines(11, 10), false))).toEqual([8, 9, 10, 11]));
  it('lose what was deleted', () => {
    expect(ids(withPage(lines(8, 9, 10), lines(10, 8), false))).toEqual([8, 10]);
    expect(ids(withPage(lines(8, 9, 10), lines(10), true))).toEqual([10]);
    expect(ids(withPage(lines(8, 9), [], true))).toEqual([]);
  });
  it('continue the previous ones only if no line is missing between them', () => {
    expect(goesOn('9', lines(11, 10, 9))).toBe(true);
    expect(goesOn('9', lines(11, 10, 8))).toBe(true); // 9 was deleted
    expect(goesOn('9', lines(12, 11, 10))).toBe(false);
    expect(goesOn(null, lines(3))).toBe(false);
    expect(goesOn('9', [])).toBe(false);
  });
});
