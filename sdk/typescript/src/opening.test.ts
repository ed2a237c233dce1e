/* Sockets that are opened before a table uses them. */
import { expect, it, vi } from 'vitest';
import { SocketAhead, socketUrl } from './opening.js';
import { FakeSocket, last } from './test/fake-socket.js';
import { make, rig, settle, useRig } from './test/live-rig.js';

useRig();

const ADDRESS = { ws_url: 'ws://h/ws/tables/7', ticket: 't0' };
const event = (v: number) => ({ t: 'turn', v, seat: 1, d: {} });

/** A socket that takes over a connection that was opened in advance. */
async function playing(ahead: SocketAhead) {
  rig.ahead = ahead;
  const socket = make();
  socket.start();
  await settle();
  return socket;
}

it('the address contains the last known version', () => {
  expect(socketUrl('ws://h/ws/tables/7', null)).toBe('ws://h/ws/tables/7');
  expect(socketUrl('ws://h/ws/tables/7', 12)).toBe('ws://h/ws/tables/7?v=12');
});

it('frames that arrived before the takeover are delivered first, in order', async () => {
  const ahead = new SocketAhead(ADDRESS);
  last().open();
  last().frame({ t: 'snapshot', v: 4, d: {} });
  last().frame(event(5));
  const socket = await playing(ahead);
  last().frame(event(6));
  expect(FakeSocket.all.map((one) => one.protocols)).toEqual([['rummy.v1', 'ticket.t0']]);
  expect(rig.frames.map((frame) => [frame.t, 'v' in frame && frame.v])).toEqual([
    ['snapshot', 4],
    ['turn', 5],
    ['turn', 6],
  ]);
  expect(rig.seen).toEqual(['connecting', 'open']);
  socket.stop();
});

it('a socket that is still opening gets the usual timeout', async () => {
  const socket = await playing(new SocketAhead(ADDRESS));
  expect(rig.seen).toEqual(['connecting']);
  last().open();
  expect(rig.seen).toEqual(['connecting', 'open']);
  last().end(1006);
  await vi.advanceTimersByTimeAsync(1000);
  expect(FakeSocket.all.map((one) => one.protocols[1])).toEqual(['ticket.t0', 'ticket.t2']);
  socket.stop();
});

it('a socket that has closed is not used', async () => {
  const ahead = new SocketAhead(ADDRESS);
  last().open();
  last().end(1006);
  const socket = await playing(ahead);
  expect(FakeSocket.all.map((one) => one.protocols[1])).toEqual(['ticket.t0', 'ticket.t1']);
  socket.stop();
});

it('an unused socket is closed, and a used one is not', async () => {
  const left = new SocketAhead(ADDRESS);
  const taken = new SocketAhead(ADDRESS);
  const [first, second] = FakeSocket.all;
  expect(taken.take()?.socket).toBe(second);
  await vi.advanceTimersByTimeAsync(60_000);
  expect([first?.readyState, second?.readyState]).toEqual([3, FakeSocket.CONNECTING]);
  expect(left.take()).toBeNull();
});
