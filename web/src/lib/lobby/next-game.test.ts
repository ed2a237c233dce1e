import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Room } from '$lib/api/client';
import { VARIANTS } from '$lib/rules/rules';
import type { LobbyTable } from '@rummyd/client';
import { keepRoom } from './choices';
import { CARDS } from './pictures';
import { playersSaid, nextGame, nextGameSaid } from './next-game';

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
  });
});

const room = (id: string, more: Partial<Room> = {}) =>
  ({ id, unlocked: true, bots: true, seats: 4, stake: 10, fill_wait_ms: 5000, ...more }) as Room;
const ROOMS = [room('desert'), room('tundra', { stake: 20, fill_wait_ms: 7500 })];
const TREFF = { id: '7', variant: 'treff', state: 'waiting', room: null } as LobbyTable;
const waits = { ...TREFF, stake: 0, people: 1, bots: 0, seats: 2 };

describe('the way into a game', () => {
  const saying = (...args: Parameters<typeof nextGame>) => nextGameSaid(nextGame(...args));
  it('is a room for the game of the rooms: the one chosen last', () => {
    expect(saying('rummy51', ROOMS, [], 100)).toBe('starts in 5 s');
    keepRoom('tundra');
    expect(saying('rummy51', ROOMS, [], null)).toBe('starts in 8 s');
    expect(saying('rummy51', [room('tundra', { bots: false })], [], 100)).toBe(
      'starts when all seats are taken',
    );
  });
  it('is a game against bots for a player without the stake, and where no room is open', () => {
    expect(saying('rummy51', ROOMS, [], 9)).toBe('starts right away against a bot');
    expect(saying('rummy51', [room('desert', { unlocked: false })], [], 100)).toBe(
      'starts right away against a bot',
    );
  });
  it('is with players who wait, else against bots', () => {
    expect(saying('treff', ROOMS, [waits], 100)).toBe('a player is waiting');
    expect(saying('rami', ROOMS, [waits], 100)).toBe('starts right away against a bot');
  });
});

describe('who is at a game', () => {
  it.each([
    [undefined, ''],
    [{ playing: 0, waiting: 0 }, ''],
    [{ playing: 3, waiting: 0 }, '3 playing'],
    [{ playing: 0, waiting: 1 }, '1 waiting'],
    [{ playing: 1, waiting: 2 }, '1 playing · 2 waiting'],
  ])('%o: %s', (game, words) => expect(playersSaid(game)).toBe(words));
});

it('every game has a picture, and the sign-in page counts them right', () => {
  expect(Object.keys(CARDS).sort()).toEqual([...VARIANTS].sort());
  expect(VARIANTS.length, '“Ten rummy games” in enter.lead').toBe(10);
});
