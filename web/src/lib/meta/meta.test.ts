import { describe, expect, it } from 'vitest';
import {
  bonusSaid,
  ends,
  leagueRules,
  money,
  monthsBefore,
  orderSaid,
  passed,
  percent,
  prizeLine,
  silverRoom,
  sortAchievements,
  titleOf,
  type Achievement,
  type League,
  type Order,
} from './meta';

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

describe('months of a board', () => {
  it('go back over the new year', () => {
    expect(monthsBefore(3, new Date('2026-02-28T23:00:00Z'))).toEqual(['2026-01', '2025-12', '2025-11']);
  });
});

describe('money', () => {
  it('has the digits of its currency', () => {
    expect(money(499, 'eur', 'en')).toBe('€4.99');
    expect(money(5, 'usd', 'en')).toBe('$0.05');
    expect(money(500, 'jpy', 'en')).toBe('¥500');
  });
});

const ORDER: Order = {
  id: '41',
  state: 'paid',
  pack: 'gold_300',
  gold: 300,
  amount: 499,
  currency: 'eur',
  provider: 'stripe',
  pay_url: null,
  created_at: after(0),
  expires_at: after(60),
  paid_at: after(1),
  refunded: 0,
  gold_back: 0,
  gold_short: 0,
  why: null,
};

describe('an order', () => {
  it('tells what became of it', () => {
    expect(orderSaid(ORDER)).toBe('Paid');
    expect(orderSaid({ ...ORDER, state: 'charged_back', gold_back: 80, gold_short: 220 })).toBe(
      'Charged back · 80 gold taken back · 220 gold short',
    );
  });
});

describe('the daily bonus', () => {
  it('has room for what neither the purse nor a table holds', () => {
    const hold = { table_id: '7', silver: 10, gold: 5 };
    expect(silverRoom({ silver: 70, silver_cap: 100, holds: [] })).toBe(30);
    expect(silverRoom({ silver: 70, silver_cap: 100, holds: [hold, { ...hold, table_id: '8' }] })).toBe(10);
  });
  const bonus = {
    streak: 2,
    played_today: true,
    today_amount: 40,
    today_lost: 0,
    tomorrow_amount: 45,
    tomorrow_at: after(60),
  };
  it('is told in sentences', () => {
    expect(bonusSaid(bonus, 45)).toEqual([
      'Last midnight brought 40 silver.',
      'The next one brings 45 silver.',
    ]);
    expect(bonusSaid({ ...bonus, today_lost: 30 }, 45)[0]).toBe(
      'Last midnight brought 40 silver, 30 of it over the cap.',
    );
    expect(bonusSaid({ ...bonus, today_amount: null, played_today: false }, 12)).toEqual([
      'The next one brings 45 silver.',
      'As your purse is now, 33 of it would be lost over the cap.',
      'Finish a game today to go on with your streak.',
    ]);
  });
});

describe('achievements and statistics', () => {
  const one = (id: string, progress: number, goal: number, earned_at: string | null = null): Achievement => ({
    id,
    about: '',
    gold: 5,
    goal,
    progress,
    earned_at,
  });
  it('stand with what was earned first, then what is near', () => {
    const all = [
      one('far', 1, 10),
      one('old', 1, 1, after(-9)),
      one('near', 9, 10),
      one('new', 1, 1, after(-1)),
    ];
    expect(sortAchievements(all).map((a) => a.id)).toEqual(['new', 'old', 'near', 'far']);
    expect(all.map((a) => a.id)).toEqual(['far', 'old', 'near', 'new']);
  });
  it('have names for people', () => {
    expect(titleOf('win_streak_3')).toBe('Win streak 3');
    expect(percent(1, 3)).toBe('33 %');
    expect(percent(0, 0)).toBe('–');
  });
});
