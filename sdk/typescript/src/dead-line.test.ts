/* A connection that silently stops carrying data: how soon it is noticed, how soon it is back, and what
 * happens to commands. */
import { describe, expect, it, vi } from 'vitest';
import { CLOSE, LIVENESS } from './protocol.js';
import { FakeSocket, last } from './test/fake-socket.js';
import { happens, make, opened, rig, settle, useRig } from './test/live-rig.js';

useRig();

const pings = (socket = last()) => socket.sent.filter((f) => f.t === 'ping');
const pong = (socket = last()) => socket.frame({ t: 'pong', id: pings(socket).at(-1)?.id, d: { now: '' } });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** Until an open connection is known to be dead. */
async function dies(): Promise<void> {
  rig.silent = true;
  await pass(LIVENESS.dead_ms);
  expect(rig.seen.at(-1)).toBe('lost');
}

describe('an open line', () => {
  it('is asked two seconds after its last answer', async () => {
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
  it('is dead within five seconds, whatever the server says unasked', async () => {
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
  it('that answers after all goes on, and no other takes its place', async () => {
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
  it('that closes once it was silent does not end the search for another', async () => {
    const socket = await opened();
    await dies();
    last().end(1006);
    expect(rig.asked.at(-1)?.aborted).toBe(false);
    socket.stop();
  });
  it('is asked at once, and not long waited for, when the network or the page comes and goes', async () => {
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
  it('of a page that nobody sees is asked less often', async () => {
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
  it('is asked again when the machine slept: the answer may be here', async () => {
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

describe('a line that is back', () => {
  it('is found within a second, however long it was away', async () => {
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
  it('is asked for beside a request that went out into nothing', async () => {
    const socket = await opened();
    await dies();
    for (let beside = 1; beside <= 11; beside++) {
      await pass(900);
      expect(rig.asked).toHaveLength(2 + beside);
      // The first one stays pending; of the parallel ones only the newest.
      const waited = rig.asked.slice(1).map((signal) => !signal.aborted);
      expect(waited).toEqual([true, ...Array.from({ length: beside - 1 }, () => false), true]);
    }
    // The server had 10 s.
    await pass(100);
    expect(rig.asked.slice(1).every((signal) => signal.aborted)).toBe(true);
    rig.silent = false;
    await pass(800);
    expect(FakeSocket.all).toHaveLength(2);
    socket.stop();
  });
  it.each(['online', 'visibilitychange'] as const)(
    'at `%s` is tried at once, without a wait left over',
    async (what) => {
      const socket = await opened();
      rig.refuse = Object.assign(new Error('unreachable'), { reached: false });
      last().end(1006);
      await pass(90_000); // by now it is tried every 3 s
      rig.refuse = null;
      const n = FakeSocket.all.length;
      happens(what);
      await settle();
      expect(FakeSocket.all).toHaveLength(n + 1);
      socket.stop();
    },
  );
  it('is not hurried where the server said how long to wait', async () => {
    const socket = await opened();
    last().end(CLOSE.TRY_LATER);
    happens('online');
    await pass(999);
    expect(FakeSocket.all).toHaveLength(1);
    await pass(1);
    expect(FakeSocket.all).toHaveLength(2);
    socket.stop();
  });
  it('is not asked for where there is no way back', async () => {
    const socket = await opened();
    last().end(CLOSE.REPLACED);
    happens('online');
    happens('visibilitychange');
    await pass(60_000);
    expect([rig.seen, FakeSocket.all.length]).toEqual([['replaced'], 1]);
    socket.stop();
  });
  it('may bring a handshake that was given up: that one is no other window', async () => {
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
  it('into a dead line is sent once more, with its id, over the next one', async () => {
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
  it('given while there is no line is sent over the next one', async () => {
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
  it('that alone is not answered goes over another connection after four seconds, once', async () => {
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
  it('at a paused table is waited for', async () => {
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
