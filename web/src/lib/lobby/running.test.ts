import { describe, expect, it } from 'vitest';
import type { MyTable } from '$lib/api/client';
import { inOrder, isYourTurn, runningSaid } from './running';

const table = (id: string, more: Partial<MyTable> = {}): MyTable => ({
  table_id: id,
  variant: 'rummy51',
  room: null,
  code: null,
  seat: 1,
  state: 'playing',
  turn_hours: 24,
  turn: { seats: [1], ends_at: '2026-11-25T20:00:00.000Z' },
  tournament: null,
  ...more,
});
const theirs = table('3', { turn: { seats: [0], ends_at: '2026-11-24T01:00:00.000Z' } });
const later = table('4', { turn: { seats: [0, 1], ends_at: '2026-11-26T01:00:00.000Z' } });
const stopped = table('5', { turn: { seats: [1], ends_at: null } });
const quick = table('6', { turn_hours: null, turn: null, room: 'desert' });

describe('the games that run', () => {
  it('come in the order in which they wait for the player', () => {
    const ids = inOrder([theirs, stopped, later, quick, table('1')]).map((t) => t.table_id);
    expect(ids).toEqual(['6', '1', '4', '5', '3']);
  });

  it('say whose turn it is, and until when', () => {
    expect([later, theirs, quick].map(isYourTurn)).toEqual([true, false, false]);
    expect(runningSaid(table('1')).title).toBe('It’s your turn');
    expect(runningSaid(table('1')).text).toMatch(/^Rummy 51, table 1 · until \w+ \d+:00/);
    expect(runningSaid(theirs).title).toBe('Another player’s turn');
    expect(runningSaid(stopped).text).toBe('Rummy 51, table 5 · clock paused (vacation)');
    expect(runningSaid(quick)).toEqual({ title: 'A game is waiting for you', text: 'Rummy 51, table 6' });
    const cup = table('9', { turn_hours: null, turn: null, tournament: { id: '12', name: 'Friday cup' } });
    expect(runningSaid(cup).text).toBe('Friday cup · Rummy 51, table 9');
    expect(runningSaid(table('7', { state: 'waiting', turn: null })).title).toBe('Waiting for players');
    expect(runningSaid(table('8', { state: 'lost', turn: null })).text).toContain('table 8');
  });
});
