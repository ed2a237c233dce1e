import { describe, expect, it } from 'vitest';
import { whole, type LobbyTable, type WireFriend } from '@rummyd/client';
import { seated, whereabouts } from './picture';

const table = (id: string, state: LobbyTable['state'], people = 1): LobbyTable => ({
  id,
  room: null,
  variant: 'rami',
  state,
  seats: 4,
  people,
  bots: 0,
  stake: 0,
  options: {},
  watch: true,
  bot_accounts: false,
  turn_hours: null,
});

describe('who sits at a table', () => {
  const at = (state: LobbyTable['state'], people: number, bots: number) =>
    seated({ ...table('1', state, people), bots });
  it('is people and bots, and the seat that is to be had', () => {
    expect(at('waiting', 1, 0)).toBe('1 player, 3 seats free');
    expect(at('waiting', 2, 1)).toBe('2 players and 1 bot, 1 seat free');
    expect(at('waiting', 2, 2)).toBe('2 players and 2 bots, a bot makes room for you');
    expect(at('playing', 4, 0)).toBe('4 players');
  });
});

describe('a friend who is about', () => {
  const friend = (state: WireFriend['state'], table_id: string | null): WireFriend => ({
    player_id: '57',
    nickname: 'Bob',
    avatar: 'owl',
    state,
    table_id,
  });
  const picture = whole({
    rooms: [],
    games: [],
    tables: [
      table('5', 'waiting'),
      table('7', 'playing'),
      { ...table('8', 'playing'), watch: false },
      { ...table('9', 'waiting'), room: 'desert' },
    ],
    online: 1,
    playing: 1,
  });
  it.each([
    ['lobby', null, 'looking for a table', null],
    ['waiting', '5', 'waiting at a table', 'sit'],
    ['waiting', '9', 'waiting at a table', null],
    ['waiting', null, 'waiting at a private table', null],
    ['playing', '7', 'playing', 'watch'],
    ['playing', '8', 'playing', null],
    ['playing', null, 'playing at a private table', null],
  ] as const)('is %s at %s', (state, id, text, way) => {
    expect(whereabouts(friend(state, id), picture)).toEqual({ text, way });
  });
});
