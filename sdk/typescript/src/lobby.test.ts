import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { changed, Lobby, whole } from './lobby.js';
import type { LobbyTable } from './protocol.js';
import { createRest } from './rest.js';
import { FakeSocket, last } from './test/fake-socket.js';
import { givenToken } from './tokens.js';

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
  bot_accounts: false,
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
  bot_accounts: false,
  turn_hours: null,
});

describe('the state of the lobby', () => {
  const first = whole({
    rooms: [room],
    games: [{ variant: 'rami', playing: 1, waiting: 1 }],
    tables: [table('7', 'playing'), table('5', 'waiting')],
    online: 3,
    playing: 1,
  });
  it('lists waiting tables first', () => {
    expect(first.tables.map((t) => t.id)).toEqual(['5', '7']);
  });
  it('adds new entries and removes missing ones', () => {
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
    expect(next.games, 'as they were').toEqual(first.games);
    const games = [{ variant: 'treff', playing: 5, waiting: 0 }];
    const quiet = { rooms: [], tables: [], gone: [], online: 4, playing: 5 };
    expect(changed(next, { ...quiet, games }).games).toEqual(games);
  });
});

describe('the lobby', () => {
  beforeEach(() => {
    FakeSocket.all = [];
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', FakeSocket);
    vi.stubGlobal('fetch', async () =>
      Response.json({ ws_url: 'ws://h/ws/lobby', ticket: 't' }, { status: 201 }),
    );
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.useRealTimers();
  });
  it('applies the frames, and clears the state when it stops', async () => {
    const told = vi.fn();
    const lobby = new Lobby(createRest({ url: 'http://h', tokens: givenToken('t') }), told);
    lobby.start();
    await vi.advanceTimersByTimeAsync(0);
    last().open();
    const d = { rooms: [room], games: [], tables: [table('5', 'waiting')], online: 1, playing: 0 };
    last().frame({ t: 'lobby', d });
    last().frame({ t: 'lobby_changed', d: { ...d, tables: [], gone: ['5'], online: 2 } });
    last().frame({ t: 'friends', d: { items: [{ player_id: '57' }] } });
    expect(lobby.picture).toMatchObject({ tables: [], online: 2 });
    expect([lobby.friends.length, told.mock.calls.length]).toEqual([1, 3]);
    lobby.stop();
    expect([lobby.picture, lobby.friends]).toEqual([null, []]);
  });
});
