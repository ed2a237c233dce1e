/* The state that a playing program gets from its table, whatever happens to the connection. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CLOSE } from './protocol.js';
import { createRest } from './rest.js';
import { Table } from './table.js';
import { FakeSocket, last } from './test/fake-socket.js';
import { givenToken } from './tokens.js';

const SEAT = { table_id: '7', ws_url: 'ws://h/ws/tables/7', ticket: 't' };
const SNAPSHOT = { me: 0, hand: ['2H1', 'X1'], phase: 'draw', to_move: 1, hand_no: 1 };
const NOBODY = { to_group: [], dropped: [], wrong: [], sat_out: [] };

let tickets: () => Response;
let table: Table;

const snapshot = (d: object = {}) =>
  last().frame({ t: 'snapshot', v: 5, d: { ...SNAPSHOT, ...NOBODY, ...d } });
const event = (v: number, t: string, seat: number | null, d: object = {}) => last().frame({ v, t, seat, d });
const settle = () => vi.advanceTimersByTimeAsync(0);
const sent = () => last().sent.map(({ t }) => t);

beforeEach(async () => {
  FakeSocket.all = [];
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', FakeSocket);
  tickets = () => Response.json(SEAT, { status: 201 });
  vi.stubGlobal('fetch', async () => tickets());
  table = new Table(createRest({ url: 'http://h', tokens: givenToken('t') }), SEAT);
  await settle();
  last().open();
});
afterEach(() => {
  table.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('a turn', () => {
  it('begins with a snapshot or an event', async () => {
    const turn = table.turn();
    snapshot();
    await settle();
    expect(table.toAct).toBe(false);
    event(6, 'turn', 0, { round: 1, phase: 'draw' });
    expect(await turn).toBe(true);
  });
  it('is due to group after a declaration, except for seats out of the hand', async () => {
    snapshot();
    event(6, 'declared', 1, { valid: true });
    expect(await table.turn()).toBe(true);
    event(7, 'grouped', 0, { done: true });
    expect(table.toAct).toBe(false);
    snapshot();
    event(8, 'dropped', 0);
    event(9, 'declared', 1, { valid: true });
    expect(table.toAct).toBe(false);
  });
  it('never comes after the game is over', async () => {
    const turn = table.turn();
    snapshot();
    event(6, 'session_ended', null);
    last().frame({ t: 'settled', d: { game_id: '1', seats: [] } });
    expect(await turn).toBe(false);
  });
  it('never comes if the game ended while the connection was down', async () => {
    tickets = () => Response.json({ code: 'table_over' }, { status: 409 });
    const turn = table.turn();
    last().end(1006);
    await vi.advanceTimersByTimeAsync(1000);
    expect(await turn).toBe(false);
  });
  it.each([
    [CLOSE.REPLACED, 'replaced'],
    [CLOSE.LEFT, 'left'],
    [CLOSE.LOST, 'given_up'],
  ])('throws when the socket is closed permanently with %i', async (code, why) => {
    const turn = table.turn();
    last().end(code);
    await expect(turn).rejects.toThrow(why);
  });
});

describe('the hand', () => {
  it('follows the events of the seat', () => {
    snapshot();
    event(6, 'drew', 0, { from: 'stock', card: '3H1', must_open: false });
    event(7, 'swapped', 0, { meld: 1, card: '2H1', joker: 'X2', place: 0 });
    event(8, 'melded', 0, { cards: ['X1', 'X2'] });
    event(9, 'taken_back', 0, { cards: ['X1', 'X2'] });
    event(10, 'discarded', 0, { cards: ['X1'] });
    event(11, 'drew', 1, { from: 'discard', card: 'X1', must_open: false });
    expect(table.hand).toEqual(['3H1', 'X2']);
  });
});

describe('a newer server', () => {
  it('may send new members, values, and kinds', async () => {
    snapshot({ mood: 'calm', phase: 'musing' });
    last().frame({ t: 'weather', d: { rain: true } });
    event(6, 'sneezed', 0, { loudly: true });
    event(7, 'drew', 0, { from: 'sleeve', card: '3H1', must_open: false, colour: 'red' });
    event(8, 'turn', 0, { round: 1, phase: 'draw', hurry: false });
    expect(table.hand).toEqual(['2H1', 'X1', '3H1']);
    expect(await table.turn()).toBe(true);
    const refused = table.do('draw', { from: 'stock' });
    const id = last().sent.at(-1)?.id;
    last().frame({ t: 'nack', id, code: 'too_windy', cards: [], text: 'Wait.', until: 9 });
    await expect(refused).rejects.toMatchObject({ code: 'too_windy' });
  });
});

describe('between hands', () => {
  it('sends a seed and `ready`, once', () => {
    expect(sent()).toEqual(['seed']);
    snapshot();
    event(6, 'hand_ended', null);
    const next = { hand_no: 2, commit: 'ab', starts_in_ms: 8000, asked: [0], ready: [] };
    last().frame({ t: 'next_hand', d: next });
    last().frame({ t: 'next_hand', d: { ...next, ready: [0] } });
    expect(sent()).toEqual(['seed', 'seed', 'ready']);
  });
});

describe('a command', () => {
  it('that is refused throws the code of the nack', async () => {
    snapshot();
    const refused = table.do('draw', { from: 'stock' });
    const id = last().sent.at(-1)?.id;
    last().frame({ t: 'nack', id, code: 'not_your_turn', cards: [], text: 'Wait.' });
    await expect(refused).rejects.toMatchObject({ code: 'not_your_turn' });
  });
  it('to group is final', () => {
    snapshot();
    void table.play({ t: 'group', d: { groups: [] } });
    expect(last().sent.at(-1)).toMatchObject({ t: 'group', d: { groups: [], done: true } });
  });
});
