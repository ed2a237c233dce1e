import { describe, expect, it } from 'vitest';
import { notificationSaid, readUpTo, withNew, type Notification } from './sentences';

const said = (kind: string, data: object) => notificationSaid({ kind, data });

describe('notifications of a player', () => {
  it.each([
    [
      'level',
      { level: 6, title: 'Frog', gold: 15, rooms: ['tundra'] },
      'You reached level 6, Frog. Now open to you: Tundra.',
    ],
    ['level', { level: 2, title: 'Ant', gold: 10, rooms: [] }, 'You reached level 2, Ant.'],
    ['week', { week: '2026-W48', games: 12, wins: 1 }, 'Your week: 12 games, 1 win.'],
    [
      'season',
      {
        season: 3,
        league: 'desert',
        place: 1,
        games: 40,
        rating: 6800,
        to_league: 'tundra',
        reason: 'promoted',
        rule: { promote_rating: 6700 },
      },
      'Season 3 is over. Your rating of 6800 reached the 6700 needed for promotion to the Tundra league.',
    ],
    [
      'league_prize',
      { season: 3, league: 'desert', place: 1, gold: 50 },
      '1st place in the Desert league, season 3.',
    ],
    [
      'month_prize',
      { month: '2026-10', variant: 'rummy51', board: 'rummies', place: 4, gold: 40 },
      '4th place in October 2026: Rummy finishes in Rummy 51.',
    ],
    ['achievement', { id: 'first_game', counter: 'games', goal: 1, gold: 5 }, 'First game: Finish a game.'],
    [
      'quest',
      { id: 'rummy51_3', counter: 'any_wins', variant: 'rummy51', goal: 3, gold: 10 },
      'Weekly quest done: Win 3 games (Rummy 51).',
    ],
    ['invite', { nickname: 'Ben', gold: 30 }, 'Ben, who you invited, has played enough games.'],
    ['invited', { nickname: 'Ann', gold: 10 }, 'You accepted Ann’s invitation and have played enough games.'],
    [
      'tournament_table',
      {
        tournament_id: '12',
        name: 'Friday cup',
        round: 2,
        table_id: '917',
        starts_at: '2026-11-20T19:30:00.000Z',
      },
      'Friday cup, round 2: your table is ready.',
    ],
    [
      'tournament_result',
      { tournament_id: '12', name: 'Friday cup', place: 2, entrants: 8, silver: 24, gold: 0 },
      'Friday cup is over. You finished 2nd of 8. You won 24 silver.',
    ],
    [
      'tournament_result',
      { tournament_id: '13', name: 'Derby', place: 3, entrants: 4, silver: 0, gold: 0, team: 'lost' },
      'Derby is over. The other team won.',
    ],
    [
      'tournament_result',
      { tournament_id: '13', name: 'Derby', place: 1, entrants: 4, silver: 20, gold: 0, team: 'won' },
      'Derby is over. Your team won. You won 20 silver.',
    ],
    [
      'tournament_cancelled',
      { tournament_id: '12', name: 'Friday cup', reason: 'too_few', silver: 0, gold: 0 },
      'Friday cup was called off.',
    ],
    ['export', {}, 'The file with your data is ready.'],
    [
      'club',
      { nickname: 'Ben', player_id: '43', club_id: '7', club: 'Owls', state: 'asks' },
      'Ben asks to join Owls.',
    ],
    [
      'club',
      { nickname: 'Mia', player_id: '42', club_id: '7', club: 'Owls', state: 'accepted' },
      'You are now a member of Owls.',
    ],
    [
      'club',
      { nickname: 'Mia', player_id: '42', club_id: '7', club: 'Owls', state: 'owner' },
      'You are now the owner of Owls.',
    ],
    [
      'club',
      { club_id: '7', club: 'Club 7', state: 'renamed' },
      'A moderator renamed your club. It’s now called Club 7.',
    ],
    ['club', { club_id: '7', club: 'Owls', state: 'cleared' }, 'A moderator removed Owls’s description.'],
    ['club', { club_id: '7', club: 'Owls', state: 'closed' }, 'A moderator closed Owls.'],
    ['club', { club_id: '7', club: 'Owls', state: 'ended' }, 'The owner closed Owls.'],
    ['friend', { nickname: 'Ben', player_id: '43', state: 'asks' }, 'Ben wants to be your friend.'],
    ['friend', { nickname: 'Ben', player_id: '43', state: 'accepted' }, 'Ben is now your friend.'],
    [
      'table_invite',
      { nickname: 'Ben', player_id: '43', table_id: '7', variant: 'rummy51', code: 'K7WQ2M' },
      'Ben invites you to play Rummy 51.',
    ],
    [
      'your_turn',
      { table_id: '7', variant: 'rummy51', v: 12, ends_at: '2026-11-25T20:00:00Z' },
      'It’s your turn at table 7 (Rummy 51).',
    ],
    [
      'refund',
      { table_id: '917', variant: 'rummy51', silver: 4, gold: 6 },
      'Rummy 51: table 917 couldn’t be finished. You got your stake back: 4 silver and 6 gold.',
    ],
    [
      'refund',
      { table_id: '917', variant: 'rummy51', silver: 0, gold: 0 },
      'Rummy 51: table 917 couldn’t be finished.',
    ],
    ['some_day', {}, 'Some day.'],
  ])('%s %o', (kind, data, text) => {
    expect(said(kind, data).text).toBe(text);
  });

  it('leads on, and names the gold', () => {
    expect(said('level', { level: 6, gold: 15 })).toMatchObject({ gold: 15, href: '/profile' });
    expect(said('friend', { nickname: 'B', player_id: '43', state: 'accepted' })).toMatchObject({
      gold: 0,
      href: '/players/43',
    });
    expect(said('club', { club_id: '7', club: 'Owls', state: 'ended' }).href).toBe('/clubs');
    expect(said('tournament_result', { tournament_id: '12', name: 'Cup' }).href).toBe('/tournaments/12');
    expect(said('unknown', {})).toMatchObject({ gold: 0, href: '/notifications' });
  });
});

const notice = (id: string, read = false): Notification => ({
  id,
  at: '2026-11-20T19:31:00.000Z',
  kind: 'level',
  data: {},
  read,
});

describe('the list of them', () => {
  it('takes a new one on top, once', () => {
    const one = withNew([notice('9')], notice('10'));
    expect(one.map((n) => n.id)).toEqual(['10', '9']);
    expect(withNew(one, notice('10'))).toEqual(one);
  });

  it('is read up to one, by number and not by letters', () => {
    const after = readUpTo([notice('101'), notice('100'), notice('99'), notice('9', true)], '100');
    expect(after.map((n) => n.read)).toEqual([false, true, true, true]);
  });
});
