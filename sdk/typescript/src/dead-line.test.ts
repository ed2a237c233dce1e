/* A connection that silently stops carrying data: how soon the client notices, how soon it reconnects, and
 * what happens to commands. */
import { describe, expect, it, vi } from 'vitest';
import { CLOSE, LIVENESS } from './protocol.js';
import { FakeSocket, last } from './test/fake-socket.js';
import { happens, make, opened, rig, settle, useRig } from './test/live-rig.js';

useRig();

const pings = (socket = last()) => socket.sent.filter((f) => f.t === 'ping');
const pong = (socket = last()) => socket.frame({ t: 'pong', id: pings(socket).at(-1)?.id, d: { now: '' } });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Waits until an open connection is known to be dead. */
async function dies(): Promise<void> {
  rig.silent = true;
  await pass(LIVENESS.dead_ms);
  expect(rig.seen.at(-1)).toBe('lost');
}

describe('an open connection', () => {
  it('gets a ping two seconds after its last reply', async () => {
    const socket = await opened();
    await pass(1999);
    expect(pings()).toHaveLength(0);
    await pass(1);
    expect(pings()).toHaveLength(1);
    pong();
    await pass(1000);
    void socket.send({ t: 'draw', d: { from: 'stock' } }, 4);
    last().frame({ t: 'ack', id: last().sent.at(-1)?.id, v: 5 });
    await pass(1999);
    expect(pings()).toHaveLength(1);
    await pass(1);
    expect(pings()).toHaveLength(2);
    expect(rig.seen).toEqual([]);
    socket.stop();
  });
  it('is dead within five seconds, no matter what the server sends unasked', async () => {
    const socket = await opened();
    await pass(2000);
    pong();
    for (let s = 0; s < 4; s++) {
      await pass(999);
      last().frame({ t: 'watchers', d: { n: s } });
    }
    expect(rig.seen).toEqual([]);
    await pass(504);
    expect(rig.seen).toEqual(['lost']);
    socket.stop();
  });
  it('that replies after all continues without a replacement', async () => {
    const socket = await opened();
    await dies();
    const first = last();
    pong();
    expect(rig.seen.at(-1)).toBe('open');
    expect([rig.asked.length, rig.asked.at(-1)?.aborted]).toEqual([2, true]);
    await pass(1900);
    expect(FakeSocket.all).toEqual([first]);
    expect(first.readyState).toBe(FakeSocket.OPEN);
    socket.stop();
  });
  it('that closes after its silence does not cancel the next attempt', async () => {
    const socket = await opened();
    await dies();
    last().end(1006);
    expect(rig.asked.at(-1)?.aborted).toBe(false);
    socket.stop();
  });
  it('gets a ping at once, with a short timeout, when the network or the page changes', async () => {
    for (const what of ['offline', 'online', 'visibilitychange'] as const) {
      const socket = await opened();
      happens(what);
      expect(pings()).toHaveLength(1);
      await pass(499);
      expect(rig.seen).toEqual([]);
      await pass(1);
      expect(rig.seen).toEqual(['lost']);
      socket.stop();
    }
  });
  it('of a hidden page gets fewer pings', async () => {
    const socket = await opened();
    vi.stubGlobal('document', { visibilityState: 'hidden' });
    happens('visibilitychange');
    await pass(2000);
    pong();
    await pass(14_999);
    expect(pings()).toHaveLength(1);
    await pass(1 + 9_999);
    expect([pings().length, rig.seen]).toEqual([2, []]);
    await pass(1);
    expect(rig.seen).toEqual(['lost']);
    socket.stop();
  });
  it('gets another ping if the machine slept, because the reply may have arrived', async () => {
    const socket = await opened();
    await pass(2000);
    vi.setSystemTime(Date.now() + 3_600_000);
    await pass(2500);
    expect([pings().length, rig.seen]).toEqual([2, []]);
    pong();
    await pass(1000);
    expect(rig.seen).toEqual([]);
    socket.stop();
  });
});

describe('a restored connection', () => {
  it('is found within a second, no matter how long the outage was', async () => {
    for (const away of [0, 1_000, 7_000, 20_000, 59_000]) {
      const socket = await opened();
      rig.refuse = Object.assign(new Error('unreachable'), { reached: false });
      last().end(1006);
      await pass(away);
      rig.refuse = null;
      const n = FakeSocket.all.length;
      await pass(999);
      expect(FakeSocket.all.length).toBe(n + 1);
      socket.stop();
    }
  });
  it('is found by a parallel request while the first one is lost', async () => {
    const socket = await opened();
    await dies();
    for (let parallel = 1; parallel <= 11; parallel++) {
      await pass(900);
      expect(rig.asked).toHaveLength(2 + parallel);
      // The first request stays pending, and only the newest of the parallel ones.
      const waited = rig.asked.slice(1).map((signal) => !signal.aborted);
      expect(waited).toEqual([true, ...Array.from({ length: parallel - 1 }, () => false), true]);
    }
    // The server has had 10 s to respond.
    await pass(100);
    expect(rig.asked.slice(1).every((signal) => signal.aborted)).toBe(true);
    rig.silent = false;
    await pass(800);
    expect(FakeSocket.all).toHaveLength(2);
    socket.stop();
  });
  it.each(['online', 'visibilitychange'] as const)(
    'at `%s` is retried at once, without the remaining delay',
    async (what) => {
      const socket = await opened();
      rig.refuse = Object.assign(new Error('unreachable'), { reached: false });
      last().end(1006);
      await pass(90_000); // by now, the client retries every 3 s
      rig.refuse = null;
      const n = FakeSocket.all.length;
      happens(what);
      await settle();
      expect(FakeSocket.all).toHaveLength(n + 1);
      socket.stop();
    },
  );
  it('waits as long as the server requires', async () => {
    const socket = await opened();
    last().end(CLOSE.TRY_LATER);
    happens('online');
    await pass(999);
    expect(FakeSocket.all).toHaveLength(1);
    await pass(1);
    expect(FakeSocket.all).toHaveLength(2);
    socket.stop();
  });
  it('is not tried after a final close code', async () => {
    const socket = await opened();
    last().end(CLOSE.REPLACED);
    happens('online');
    happens('visibilitychange');
    await pass(60_000);
    expect([rig.seen, FakeSocket.all.length]).toEqual([['replaced'], 1]);
    socket.stop();
  });
  it('may complete an abandoned handshake, which does not count as another window', async () => {
    const socket = make();
    socket.start();
    await settle();
    await pass(2500 + 300);
    last().open();
    last().end(CLOSE.REPLACED);
    expect(rig.seen.at(-1)).toBe('lost');
    await pass(700);
    last().open();
    last().end(CLOSE.REPLACED);
    expect(rig.seen.at(-1)).toBe('replaced');
    socket.stop();
  });
});

describe('a command', () => {
  it('lost in a dead connection is resent with its id over the next one', async () => {
    const socket = await opened();
    const reply = socket.send({ t: 'draw', d: { from: 'stock' } }, 4);
    const [first] = last().sent;
    rig.silent = true;
    await pass(4000);
    rig.silent = false;
    await pass(1000);
    last().open();
    expect(last().sent).toEqual([first]);
    last().frame({ t: 'ack', id: first?.id, v: 5 });
    expect(await reply).toMatchObject({ ok: true });
    socket.stop();
  });
  it('given without a connection is sent over the next one', async () => {
    const socket = await opened();
    last().end(1006);
    const reply = socket.send({ t: 'draw', d: { from: 'stock' } }, 4);
    await pass(300);
    last().open();
    expect(last().sent).toMatchObject([{ t: 'draw', base: 4 }]);
    last().frame({ t: 'ack', id: last().sent[0]?.id, v: 5 });
    expect(await reply).toMatchObject({ ok: true });
    socket.stop();
  });
  it('that alone is unanswered is resent over another connection after four seconds, once', async () => {
    const socket = await opened();
    void socket.send({ t: 'draw', d: { from: 'stock' } }, 4);
    await pass(2000);
    pong();
    await pass(1999);
    expect([rig.seen, FakeSocket.all.length]).toEqual([[], 1]);
    await pass(1);
    expect([rig.seen, FakeSocket.all.length]).toEqual([['lost'], 2]);
    last().open();
    expect(last().sent.map((f) => f.t)).toEqual(['draw']);
    for (let i = 0; i < 5; i++) {
      await pass(2000);
      pong();
    }
    expect(FakeSocket.all).toHaveLength(2);
    socket.stop();
  });
  it('at a paused table is not resent', async () => {
    const socket = await opened();
    last().frame({ t: 'paused', d: {} });
    void socket.send({ t: 'draw', d: { from: 'stock' } }, 4);
    for (let i = 0; i < 5; i++) {
      await pass(2000);
      pong();
    }
    expect(FakeSocket.all).toHaveLength(1);
    socket.stop();
  });
});
