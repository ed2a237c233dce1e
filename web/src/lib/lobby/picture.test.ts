import { describe, expect, it } from 'vitest';
import type { LobbyTable, WireFriend } from '@rummyd/client';
import { changed, seated, whereabouts, whole } from './picture';

const room = {
  id: 'desert',
  name: 'Desert',
  variant: 'rummy51',
  seats: 4,
  stake: 10,
  reward: 10,
  level_required: 1,
  open: true,
  bots: true,
  people: 1,
  tables: 1,
};
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

describe('the picture of the lobby', () => {
  const first = whole({
    rooms: [room],
    tables: [table('7', 'playing'), table('5', 'waiting')],
    online: 3,
    playing: 1,
  });
  it('shows first who waits', () => {
    expect(first.tables.map((t) => t.id)).toEqual(['5', '7']);
  });
  it('takes what is new, and drops what is gone', () => {
    const next = changed(first, {
      rooms: [{ ...room, people: 2 }],
      tables: [table('9', 'waiting'), table('5', 'playing', 4)],
      gone: ['7'],
      online: 4,
      playing: 5,
    });
    expect(next.tables.map((t) => [t.id, t.state, t.people])).toEqual([
      ['9', 'waiting', 1],
      ['5', 'playing', 4],
    ]);
    expect(next.rooms[0]?.people).toBe(2);
    expect([next.online, next.playing]).toEqual([4, 5]);
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
    ['lobby', null, 'looks for a table', null],
    ['waiting', '5', 'waits at a table', 'sit'],
    ['waiting', '9', 'waits at a table', null],
    ['waiting', null, 'waits at a table, in private', null],
    ['playing', '7', 'plays', 'watch'],
    ['playing', '8', 'plays', null],
    ['playing', null, 'plays, in private', null],
  ] as const)('is %s at %s', (state, id, text, way) => {
    expect(whereabouts(friend(state, id), picture)).toEqual({ text, way });
  });
});
