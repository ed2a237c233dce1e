import { describe, expect, it } from 'vitest';
import type { LobbyTable } from '$lib/table/protocol';
import { changed, whole } from './picture';

const room = { id: 'desert', name: 'Desert', variant: 'rummy51', seats: 4, open: true, people: 1, tables: 1 };
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
