import { describe, expect, it } from 'vitest';
import { ends, leagueRules, passed, prizeLine, type League } from './leagues';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const after = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

describe('the clock of a season', () => {
  it.each([
    [-5, 'ends any moment'],
    [0, 'ends any moment'],
    [1, 'ends in 1 min'],
    [59, 'ends in 59 min'],
    [60, 'ends in 1 h'],
    [61, 'ends in 1 h 1 min'],
    [1440, 'ends in 1 day'],
    [2 * 1440 + 180 + 20, 'ends in 2 days 3 h'],
  ])('%i minutes before its end', (minutes, said) => {
    expect(ends(after(minutes), NOW)).toBe(said);
  });
  it('shows how much is over', () => {
    expect(passed(after(-60), after(180), NOW)).toBe(0.25);
    expect(passed(after(10), after(20), NOW)).toBe(0);
    expect(passed(after(-20), after(-10), NOW)).toBe(1);
    expect(passed(after(0), after(0), NOW)).toBe(1);
  });
});

const DESERT: League = {
  id: 'desert',
  name: 'Desert',
  open: true,
  room: 'desert',
  promote_rating: 6700,
  promote_places: null,
  relegate_rating: null,
  relegate_places: null,
  prizes: [50, 30, 20, 10, 10, 10, 10, 10, 10, 10],
};

describe('a league', () => {
  it('says what leads up and down', () => {
    expect(leagueRules(DESERT, 30, true)).toEqual(['Up: a rating of 6700 from 30 games.']);
    const oasis = { ...DESERT, promote_rating: null, promote_places: 10, relegate_places: 20 };
    expect(leagueRules(oasis, 30, false)).toEqual([
      'Up: the first 10 with 30 games.',
      'Down: the last 20.',
      'Down: fewer than 30 games.',
    ]);
    const tundra = { ...DESERT, relegate_rating: 6200 };
    expect(leagueRules(tundra, 30, false)[1]).toBe('Down: a rating below 6200.');
  });
  it('puts equal prizes together', () => {
    expect(prizeLine(DESERT.prizes)).toBe('1: 50 · 2: 30 · 3: 20 · 4–10: 10');
    expect(prizeLine([])).toBe('');
    expect(prizeLine([5])).toBe('1: 5');
  });
});
