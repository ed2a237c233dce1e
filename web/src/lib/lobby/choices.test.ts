import { beforeEach, expect, it, vi } from 'vitest';
import type { LobbyTable } from '@rummyd/client';
import {
  againstBots,
  choiceOf,
  keepChoice,
  keepGame,
  keepRoom,
  lastGame,
  ROOM_GAME,
  roomOf,
  waitingFor,
  withFriend,
} from './choices';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const table = (more: Partial<LobbyTable>) =>
  ({
    id: '7',
    variant: 'treff',
    state: 'waiting',
    room: null,
    stake: 0,
    people: 1,
    bots: 0,
    seats: 2,
    ...more,
  }) as LobbyTable;

it('is a game of two against a bot for a newcomer', () => {
  expect(againstBots('treff', choiceOf('treff'))).toEqual({
    variant: 'treff',
    options: { hand_s: 0 },
    seats: 2,
    bots: 1,
    bot_level: 'medium',
    visibility: 'private',
  });
});

it('is what was chosen last, for each game', () => {
  keepChoice('treff', { options: { rounds: 1 }, seats: 4, bot_level: 'strong', stake: 20 });
  expect(choiceOf('treff')).toEqual({ options: { rounds: 1 }, seats: 4, bot_level: 'strong', stake: 20 });
  expect(againstBots('treff', choiceOf('treff')).bots).toBe(3);
  expect(choiceOf('rami').seats).toBe(2);
});

it('begins with the game of the rooms, and then with the one played last', () => {
  expect(lastGame()).toBe(ROOM_GAME);
  keepGame('rami');
  expect(lastGame()).toBe('rami');
  keepGame('a game of an older server');
  expect(lastGame()).toBe(ROOM_GAME);
});

it('is the room sat in last while it is open, else the first', () => {
  expect(ROOM_GAME).toBe('rummy51');
  expect(roomOf(['desert', 'tundra'])).toBe('desert');
  keepRoom('tundra');
  expect(roomOf(['desert', 'tundra'])).toBe('tundra');
  expect(roomOf(['desert'])).toBe('desert');
});

it('takes a free seat at a table of players for the same stake, and no other', () => {
  const choice = choiceOf('treff');
  expect(waitingFor('treff', choice, [table({})])?.id).toBe('7');
  const others = [
    { variant: 'rami' },
    { state: 'playing' },
    { room: 'desert' },
    { stake: 10 },
    { people: 2 },
    { bots: 1 },
  ];
  for (const more of others)
    expect(waitingFor('treff', choice, [table(more as Partial<LobbyTable>)])).toBeUndefined();
});

it('is with a friend, too: the game chosen last, bots on the other seats', () => {
  expect(withFriend()).toMatchObject({ variant: ROOM_GAME, visibility: 'private' });
  keepChoice('treff', { options: { rounds: 1 }, seats: 4, bot_level: 'strong', stake: 20 });
  const two = { variant: 'treff', options: { rounds: 1 }, visibility: 'private', bot_level: 'strong' };
  expect(withFriend()).toEqual({ ...two, seats: 4, bots: 2 });
  keepChoice('straight', { options: {}, seats: 2, bot_level: 'easy', stake: 0 });
  expect(withFriend()).toMatchObject({ variant: 'straight', seats: 2, bots: 0 });
});
