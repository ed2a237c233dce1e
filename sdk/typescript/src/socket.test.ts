/* Every state of a connection, against a scripted WebSocket. */
import { describe, expect, it, vi } from 'vitest';
import { BACK_OFF, CLOSE } from './protocol.js';
import type { Connection } from './socket.js';
import { FakeSocket, last } from './test/fake-socket.js';
import { make, opened, rig, settle, useRig } from './test/live-rig.js';

useRig();

describe('a connection to a table', () => {
  it('goes from connecting to open', async () => {
    const socket = make();
    socket.start();
    await settle();
    expect(rig.seen).toEqual(['connecting']);
    last().open();
    expect(rig.seen).toEqual(['connecting', 'open']);
    socket.stop();
  });
});

describe('an attempt without a response', () => {
  it('is abandoned if no ticket arrives', async () => {
    rig.silent = true;
    const socket = make();
    socket.start();
    await vi.advanceTimersByTimeAsync(9_999);
    expect(rig.seen).toEqual(['connecting']);
    rig.silent = false;
    await vi.advanceTimersByTimeAsync(1 + 300);
    last().open();
    expect([rig.seen.at(-1), rig.asked.length]).toEqual(['open', 2]);
    socket.stop();
  });
  it('is abandoned if the handshake does not complete, and late frames are ignored', async () => {
    const socket = make();
    socket.start();
    await settle();
    const first = last();
    await vi.advanceTimersByTimeAsync(2500 + 300);
    expect([FakeSocket.all.length, first.readyState]).toEqual([2, 3]);
    last().open();
    first.open();
    first.end(1006);
    expect(rig.seen.at(-1)).toBe('open');
    socket.stop();
  });
  it('doubles the handshake timeout, up to ten seconds', async () => {
    const socket = make();
    socket.start();
    await settle();
    for (const [patience, wait] of [
      [2500, 300],
      [5000, 600],
      [10_000, 600],
      [10_000, 600],
    ] as const) {
      const n = FakeSocket.all.length;
      await vi.advanceTimersByTimeAsync(patience - 1);
      expect(last().readyState).toBe(0);
      await vi.advanceTimersByTimeAsync(1 + wait);
      expect(FakeSocket.all).toHaveLength(n + 1);
    }
    socket.stop();
  });
});

describe('a connection that is down', () => {
  it('is retried within 750 ms, so a player is back within a second', async () => {
    vi.spyOn(Math, 'random').mockReturnValue(0.999_999);
    const socket = make();
    socket.start();
    await settle();
    for (const patience of [2500, 5000, 10_000, 10_000]) {
      const n = FakeSocket.all.length;
      await vi.advanceTimersByTimeAsync(patience + 750);
      expect(FakeSocket.all).toHaveLength(n + 1);
    }
    socket.stop();
  });
});

describe('a connection that ends', () => {
  const again: [string, number, Connection, number][] = [
    ['by a network failure', 1006, 'lost', 300],
    ['because the server restarts', CLOSE.RESTARTING, 'restarting', 300],
    ['because it read too slowly', CLOSE.TOO_SLOW, 'slow', 300],
    ['because its ticket was used', CLOSE.BAD_TICKET, 'lost', 300],
    ['because its session ended, while there may be another', CLOSE.SESSION_ENDED, 'lost', 300],
    ['because it sent too much, after a pause', CLOSE.FLOODING, 'flooding', 10_000],
  ];
  it.each(again)('%s reconnects with a new ticket and its version', async (_, code, state, wait) => {
    const socket = await opened();
    last().frame({ t: 'snapshot', v: 31, d: {} });
    last().end(code);
    expect(rig.seen).toEqual([state]);
    await vi.advanceTimersByTimeAsync(wait - 1);
    expect(FakeSocket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(rig.seen).toEqual([state, state]);
    expect(last().url).toBe('ws://h/ws/tables/7?v=31');
    expect(last().protocols).toEqual(['rummy.v1', 'ticket.t2']);
    last().open();
    expect(rig.seen.at(-1)).toBe('open');
    socket.stop();
  });
  const ends: [string, number, Connection][] = [
    ['replaced by a newer one', CLOSE.REPLACED, 'replaced'],
    ['when the player leaves', CLOSE.LEFT, 'left'],
    ['when the seat is not theirs', CLOSE.FORBIDDEN, 'refused'],
    ['when no node can continue the table', CLOSE.LOST, 'given_up'],
  ];
  it.each(ends)('%s is final, and pending commands are settled', async (_, code, state) => {
    const socket = await opened();
    const reply = socket.send({ t: 'draw', d: { from: 'stock' } }, 4);
    last().end(code);
    expect(rig.seen).toEqual([state]);
    expect(await reply).toMatchObject({ ok: false, nack: { code: 'lost' } });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(FakeSocket.all).toHaveLength(1);
    socket.stop();
  });
  it('replaced by a newer one can be resumed by the player', async () => {
    const socket = await opened();
    last().end(CLOSE.REPLACED);
    socket.resume();
    await settle();
    last().open();
    expect(rig.seen).toEqual(['replaced', 'connecting', 'open']);
    socket.stop();
  });
  it('is retried after increasing delays', async () => {
    const socket = await opened();
    for (const wait of [300, 700, 1000, 2000, 4000, 4000, 4000]) {
      const n = FakeSocket.all.length;
      last().end(1006);
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(FakeSocket.all).toHaveLength(n);
      await vi.advanceTimersByTimeAsync(1);
      expect(FakeSocket.all).toHaveLength(n + 1);
    }
    socket.stop();
  });
  it.each([CLOSE.INTERNAL, CLOSE.TRY_LATER])(
    'by %i backs off, no matter which frames it received',
    async (code) => {
      const socket = await opened();
      const again = async (wait: number) => {
        const n = FakeSocket.all.length;
        if (n > 1) last().open();
        last().frame({ t: 'watchers', d: { n: 0 } });
        last().end(code);
        await vi.advanceTimersByTimeAsync(wait - 1);
        expect(FakeSocket.all).toHaveLength(n);
        await vi.advanceTimersByTimeAsync(1);
        expect(FakeSocket.all).toHaveLength(n + 1);
      };
      for (const wait of [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]) await again(wait);
      last().open();
      await vi.advanceTimersByTimeAsync(BACK_OFF.reset_ms);
      const n = FakeSocket.all.length;
      last().end(code);
      await vi.advanceTimersByTimeAsync(1000);
      expect(FakeSocket.all).toHaveLength(n + 1);
      socket.stop();
    },
  );
  it('for a restart waits as long as the server requires', async () => {
    const socket = await opened();
    last().frame({ t: 'restarting', d: { retry_ms: 2000 } });
    last().end(CLOSE.RESTARTING);
    await vi.advanceTimersByTimeAsync(1999);
    expect(FakeSocket.all).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(FakeSocket.all).toHaveLength(2);
    socket.stop();
  });
  it('because the table moved is replaced at once, and unanswered commands are resent', async () => {
    const socket = await opened();
    last().frame({ t: 'waiting', d: {} as never });
    const reply = socket.send({ t: 'ready', d: {} }, undefined);
    const before = last();
    before.frame({ t: 'moved', d: { ws_url: 'ws://h2/ws/tables/7' } });
    before.end(CLOSE.RESTARTING);
    await settle();
    expect(FakeSocket.all).toHaveLength(2);
    last().open();
    const again = last().sent;
    expect(again).toMatchObject([{ t: 'ready' }]);
    last().frame({ t: 'ack', id: again[0]?.id ?? '', v: 1 });
    await expect(reply).resolves.toMatchObject({ ok: true });
    expect(rig.seen).toEqual(['open']);
    socket.stop();
  });
  it('because the table moved to an unreachable node is reported like any other', async () => {
    const socket = await opened();
    rig.refuse = Object.assign(new Error('away'), { reached: true });
    last().frame({ t: 'moved', d: { ws_url: 'ws://h2/ws/tables/7' } });
    await settle();
    expect(rig.seen).toEqual(['restarting']);
    rig.refuse = null;
    await vi.advanceTimersByTimeAsync(300);
    last().open();
    expect(rig.seen.at(-1)).toBe('open');
    socket.stop();
  });
  it('without a ticket ends as refused', async () => {
    const socket = await opened();
    rig.refuse = Object.assign(new Error('table_over'), { fatal: true });
    last().end(1000);
    await vi.advanceTimersByTimeAsync(300);
    expect(rig.seen).toEqual(['lost', 'lost', 'refused']);
    socket.stop();
  });
  it('with a temporary refusal is retried after increasing delays', async () => {
    const socket = await opened();
    rig.refuse = Object.assign(new Error('away'), { reached: true });
    last().end(1006);
    await vi.advanceTimersByTimeAsync(300 + 700);
    rig.refuse = null;
    await vi.advanceTimersByTimeAsync(1000);
    last().open();
    expect(rig.seen.at(-1)).toBe('open');
    socket.stop();
  });
  it('with a required delay waits that long', async () => {
    const socket = await opened();
    rig.refuse = Object.assign(new Error('rate_limited'), { reached: true, waitMs: 5000 });
    last().end(1006);
    await vi.advanceTimersByTimeAsync(300);
    rig.refuse = null;
    await vi.advanceTimersByTimeAsync(4999);
    expect(rig.asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(1);
    expect(rig.asked).toHaveLength(3);
    socket.stop();
  });
  it('by the client reports nothing afterward', async () => {
    const socket = await opened();
    const ended = last();
    socket.stop();
    ended.end(1000);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(rig.seen).toEqual([]);
  });
});

describe('a command pending when the connection breaks', () => {
  it('is resent with the same id, and settled once', async () => {
    const socket = await opened();
    const reply = socket.send({ t: 'draw', d: { from: 'stock' } }, 4);
    const id = last().sent[0]?.id;
    last().end(1006);
    await vi.advanceTimersByTimeAsync(300);
    last().open();
    expect(last().sent).toEqual([{ t: 'draw', id, base: 4, d: { from: 'stock' } }]);
    last().frame({ t: 'ack', id, v: 5 });
    expect(await reply).toMatchObject({ ok: true });
    socket.stop();
  });
  it('is not resent if it was a query', async () => {
    const socket = await opened();
    const reply = socket.send({ t: 'legal', d: {} }, 4);
    last().end(1006);
    await vi.advanceTimersByTimeAsync(300);
    last().open();
    expect(last().sent).toEqual([]);
    expect(await reply).toMatchObject({ ok: false, nack: { code: 'lost' } });
    socket.stop();
  });
  it('is one of a limited number', async () => {
    const socket = await opened();
    const sent = Array.from({ length: 33 }, () => socket.send({ t: 'leave', d: {} }, undefined));
    expect(await sent[32]).toMatchObject({ ok: false, nack: { code: 'busy' } });
    expect(last().sent).toHaveLength(32);
    socket.stop();
  });
});

describe('events', () => {
  const told = () => rig.frames.map((f) => ('v' in f ? f.v : f.t));
  it('are delivered once each, no matter what the server repeats', async () => {
    const socket = await opened();
    last().frame({ t: 'snapshot', v: 5, d: {} });
    for (const v of [4, 5, 6, 6, 7]) last().frame({ v, t: 'away', seat: 2, d: {} });
    last().frame({ t: 'ack', id: 'x', v: 7 });
    expect(told()).toEqual([5, 6, 7, 7]);
    socket.stop();
  });
  it('that were missed are requested, and delivered before later ones', async () => {
    const socket = await opened();
    last().frame({ t: 'snapshot', v: 5, d: {} });
    last().frame({ v: 7, t: 'away', seat: 2, d: {} });
    expect(told()).toEqual([5]);
    await settle();
    expect(last().url).toBe('ws://h/ws/tables/7?v=5');
    last().open();
    for (const v of [6, 7]) last().frame({ v, t: 'sneezed', seat: 2, d: {} });
    expect(told()).toEqual([5, 6, 7]);
    socket.stop();
  });
});

describe('a paused table', () => {
  it('is reported, and so is its continuation', async () => {
    const socket = await opened();
    last().frame({ t: 'paused', d: {} });
    last().frame({ t: 'resumed', d: {} });
    expect(rig.seen).toEqual(['paused', 'open']);
    expect(rig.frames.map((f) => f.t)).toEqual(['paused', 'resumed']);
    socket.stop();
  });
});
