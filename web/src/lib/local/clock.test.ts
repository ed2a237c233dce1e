/* A table in this browser with a clock: when time runs out, the turn is played for the player, and bots
 * play for an absent player. */
import { load, type Engine } from '@rummyd/engine';
import type * as Client from '@rummyd/client';
import type { Command, ServerFrame } from '@rummyd/client';
import { beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { LocalConnection } from './connection';
import { LocalSession } from './session';

/* Always the same deal, because a bot with bad cards may drop before the player's first turn. */
vi.mock('@rummyd/client', async (original) => ({
  ...(await original<typeof Client>()),
  randomId: (bytes: number) => '2a'.repeat(bytes),
}));

const TURN_MS = 60_000;
let engine: Engine;
beforeAll(async () => {
  engine = await load();
});
beforeEach(() => {
  vi.useFakeTimers();
});

function table(variant: string, turnMs?: number) {
  const setting = { variant, names: ['You', 'Ada'], me: 0, level: 'easy', tableId: '7' } as const;
  const session = new LocalSession(engine, { ...setting, ...(turnMs && { turnMs }) });
  const frames: ServerFrame[] = [];
  const end = { frame: (frame: ServerFrame) => void frames.push(frame), status: () => undefined };
  const line = new LocalConnection(session, { thinkMs: 1, lead: { botMove: () => null } }, end);
  line.start();
  const of = (t: string) => frames.filter((frame) => frame.t === t);
  return { session, line, of };
}

const mine = (session: LocalSession) => session.view().to_move === 0;

async function untilMine(session: LocalSession) {
  for (let i = 0; i < 20 && !mine(session); i++) await vi.advanceTimersByTimeAsync(5);
  expect(mine(session)).toBe(true);
}

it.each(['rummy51', 'straight', 'treff', 'rummy40', 'rami', 'points', 'pool201', 'deals2'])(
  'in %s a turn that runs out is played, and the third one in a row leaves the seat to a bot',
  async (variant) => {
    const { session, line, of } = table(variant, TURN_MS);
    await untilMine(session);
    expect(of('clock').at(-1)).toMatchObject({ d: { seat: 0, ms_left: TURN_MS, turn_ms: TURN_MS } });
    await vi.advanceTimersByTimeAsync(TURN_MS - 100);
    expect(of('timed_out')).toEqual([]);
    await vi.advanceTimersByTimeAsync(200);
    expect(of('timed_out')).toHaveLength(1);
    expect(of('played_for_you')).toMatchObject([{ d: { turns: 1, time_outs: 1 } }]);
    for (let i = 0; i < 4; i++) await vi.advanceTimersByTimeAsync(TURN_MS + 1000);
    const { seats, phase } = session.view();
    /* The bot may have ended the hand before. In that case, the cards are grouped without a time limit. */
    expect(seats[0]?.away === true || ['over', 'hand_over', 'group'].includes(phase)).toBe(true);
    expect(of('timed_out').length).toBeLessThanOrEqual(3);
    line.stop();
    session.close();
  },
);

it('the clock restarts with each turn, not with each move', async () => {
  const { session, line, of } = table('treff', TURN_MS);
  await untilMine(session);
  const before = of('clock').length;
  await vi.advanceTimersByTimeAsync(20_000);
  await line.send({ t: 'draw', d: { from: 'stock' } });
  expect(of('clock')).toHaveLength(before);
  line.resume();
  const { ms_left } = (of('clock').at(-1) as Extract<ServerFrame, { t: 'clock' }>).d;
  expect(ms_left).toBeLessThanOrEqual(TURN_MS - 20_000);
  expect(ms_left).toBeGreaterThan(TURN_MS - 21_000);
  const move = session.game.legal(0).moves.find(({ t }) => t === 'discard');
  await line.send(move as Command);
  await untilMine(session);
  expect(of('clock').at(-1)).toMatchObject({ d: { ms_left: TURN_MS } });
  line.stop();
  await vi.advanceTimersByTimeAsync(2 * TURN_MS);
  expect(of('timed_out')).toEqual([]);
  session.close();
});

it('without a clock a turn lasts', async () => {
  const { session, line, of } = table('treff');
  await untilMine(session);
  await vi.advanceTimersByTimeAsync(100 * TURN_MS);
  expect(of('clock')).toEqual([]);
  expect(mine(session)).toBe(true);
  line.stop();
  session.close();
});
