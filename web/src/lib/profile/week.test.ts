import { describe, expect, it } from 'vitest';
import { askedWeek, proposed, weekOf, type Week } from './week';

const friend = (player_id: string, wins: number) => ({
  player_id,
  nickname: `N${player_id}`,
  avatar: 'fox',
  place: 1,
  games: 9,
  wins,
});
const week = (more: Partial<Week>): Week => ({
  week: '2026-W48',
  starts_at: '2026-11-22T22:00:00.000Z',
  ends_at: '2026-11-29T22:00:00.000Z',
  previous: null,
  next: null,
  games: 5,
  wins: 2,
  clover: 100,
  seconds: 600,
  best: null,
  variants: [],
  level: 3,
  level_points: 91,
  level_points_needed: 200,
  levels_gained: 0,
  daily_days: 0,
  daily_streak_days: 0,
  friends: [friend('42', 2)],
  ...more,
});

it.each([
  ['2026-11-30', '2026-W49'],
  ['2026-11-29', '2026-W48'],
  ['2027-01-01', '2026-W53'],
  ['2027-01-04', '2027-W01'],
  ['2024-12-30', '2025-W01'],
  ['2021-01-03', '2020-W53'],
])('%s is in %s', (day, name) => expect(weekOf(new Date(`${day}T12:00:00Z`))).toBe(name));

it('reads the week of an address', () => {
  expect(askedWeek('?week=2026-W48')).toBe('2026-W48');
  for (const other of ['', '?week=', '?week=48', '?week=2026-W48x']) expect(askedWeek(other)).toBe('');
});

describe('what is proposed', () => {
  const said = (more: Partial<Week>) => proposed(week(more), '42').text;
  it('is the streak that would end, then a friend ahead, then the next level', () => {
    const friends = [friend('7', 9), friend('8', 4), friend('42', 2)];
    expect(said({ daily_streak_days: 3, friends })).toMatch('3 days');
    expect(said({ friends })).toMatch('N8 has 2 wins more');
    expect(said({ friends, next: '2026-W49' })).toMatch('109 Clover points to go until level 4');
    expect(said({})).toMatch('109 Clover points to go until level 4');
  });
  it('is a game, where nothing else is left to say', () => {
    expect(said({ games: 0 })).toMatch('Play your first game of the week');
    expect(said({ level_points_needed: null })).toMatch('Play your first game of the week');
  });
});
