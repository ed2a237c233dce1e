import { describe, expect, it } from 'vitest';
import { titleOf } from '$lib/messages/names';
import { ends, leagueRules, passed, prizeLine, saySeason, type League, type SeasonResult } from './leagues';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');
const after = (minutes: number) => new Date(NOW + minutes * 60_000).toISOString();

describe('the clock of a season', () => {
  it.each([
    [-5, 'ends any moment now'],
    [0, 'ends any moment now'],
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
  it('states the conditions of promotion and relegation', () => {
    expect(leagueRules(DESERT, 30, true)).toEqual(['Promoted: a rating of 6700 or more after 30 games.']);
    const oasis = { ...DESERT, promote_rating: null, promote_places: 10, relegate_places: 20 };
    expect(leagueRules(oasis, 30, false)).toEqual([
      'Promoted: the top 10 with at least 30 games and the next room unlocked, at most one in five.',
      'Relegated: the bottom 20, at most one in five.',
      'Relegated: fewer than 30 games.',
    ]);
    const tundra = { ...DESERT, relegate_rating: 6200 };
    expect(leagueRules(tundra, 30, false)[1]).toBe('Relegated: a rating below 6200.');
  });
  it('puts equal prizes together', () => {
    expect(prizeLine(DESERT.prizes)).toBe('1:\u00a050 · 2:\u00a030 · 3:\u00a020 · 4–10:\u00a010');
    expect(prizeLine([])).toBe('');
    expect(prizeLine([5])).toBe('1:\u00a05');
  });
});

describe('what came of a season', () => {
  it.each<[Partial<SeasonResult>, string]>([
    [
      { reason: 'inactive', place: null, rating: null, to_league: 'desert' },
      'None of your games counted in the Tundra league this season, so you move down one league.',
    ],
    [
      { reason: 'inactive', place: null, rating: null, league: 'desert', to_league: null },
      'None of your games counted in the Desert league this season, so you’re out of the leagues until you play again.',
    ],
    [
      { reason: 'too_few_games', to_league: 'desert', rule: { games_min: 30 } },
      'Only 12 of the 30 games you need counted in the Tundra league, so you move down one league.',
    ],
    [
      { reason: 'too_few_games', league: 'desert', to_league: 'desert', rule: { games_min: 30 } },
      'Only 12 of the 30 games you need counted in the Desert league, so you stay.',
    ],
    [
      { reason: 'relegated', to_league: 'desert', rule: { relegate_rating: 6900 } },
      'Your rating of 6800 is below the 6900 needed to stay in the Tundra league.',
    ],
    [
      { reason: 'relegated', to_league: 'desert', rule: { relegate_places: 20 } },
      'You finished in place 3, among the bottom 20 of the Tundra league.',
    ],
    [
      { reason: 'promoted', to_league: 'steppe', rule: { promote_rating: 6700 } },
      'Your rating of 6800 reached the 6700 needed for promotion to the Steppe league.',
    ],
    [
      { reason: 'promoted', to_league: 'steppe', rule: { promote_places: 20 } },
      'You finished in place 3, among the top 20, and move up to the Steppe league.',
    ],
    [
      { reason: 'room_locked', rule: { next_league: 'steppe' } },
      'You earned promotion to the Steppe league, but you haven’t unlocked the Steppe room yet.',
    ],
    [
      { reason: 'league_closed', rule: { next_league: 'steppe' } },
      'You earned promotion, but the Steppe league isn’t open yet.',
    ],
    [{ reason: 'stays' }, 'You finished in place 3 with a rating of 6800 and stay in the Tundra league.'],
  ])('%o', (result, text) => {
    const tundra: SeasonResult = {
      league: 'tundra',
      to_league: 'tundra',
      place: 3,
      games: 12,
      rating: 6800,
      reason: 'stays',
      rule: {},
    };
    expect(saySeason({ ...tundra, ...result }, titleOf)).toBe(text);
  });
});
