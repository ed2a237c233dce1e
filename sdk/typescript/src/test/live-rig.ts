/* A LiveSocket whose port and WebSockets follow a test's script, with fake timers. Tests only. */
import { afterEach, beforeEach, vi } from 'vitest';
import type { ServerFrame } from '../protocol.js';
import type { SocketAhead } from '../opening.js';
import { LiveSocket, type Connection } from '../socket.js';
import { FakeSocket, last } from './fake-socket.js';

export interface Rig {
  seen: Connection[];
  frames: ServerFrame[];
  /** Thrown instead of returning a ticket. */
  refuse: Error | null;
  /** Whether requests get no response. */
  silent: boolean;
  /** Returned with the first ticket. */
  ahead: SocketAhead | null;
  /** All ticket requests, including aborted ones. */
  asked: AbortSignal[];
}

export const rig: Rig = { seen: [], frames: [], refuse: null, silent: false, ahead: null, asked: [] };
const listeners = new Map<string, (event: { type: string }) => void>();

export function make(): LiveSocket {
  return new LiveSocket({
    address: (signal) => {
      rig.asked.push(signal);
      const n = rig.asked.length;
      if (rig.silent) return new Promise(() => undefined);
      if (rig.refuse) return Promise.reject(rig.refuse);
      const ahead = n === 1 && rig.ahead ? { ahead: rig.ahead } : {};
      return Promise.resolve({ ws_url: 'ws://h/ws/tables/7', ticket: `t${n}`, ...ahead });
    },
    frame: (frame) => rig.frames.push(frame),
    status: (status) => rig.seen.push(status),
  });
}

/** Lets settled promises run. */
export const settle = () => vi.advanceTimersByTimeAsync(0);

export async function opened(): Promise<LiveSocket> {
  const socket = make();
  socket.start();
  await settle();
  last().open();
  rig.seen.length = 0;
  return socket;
}

/** Fires an event of the browser's page. */
export function happens(type: 'online' | 'offline' | 'visibilitychange'): void {
  listeners.get(type)?.({ type });
}

export function useRig(): void {
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal('WebSocket', FakeSocket);
    vi.stubGlobal('addEventListener', (type: string, heard: () => void) => listeners.set(type, heard));
    vi.stubGlobal('removeEventListener', (type: string) => listeners.delete(type));
    vi.spyOn(Math, 'random').mockReturnValue(0.5);
    FakeSocket.all = [];
    Object.assign(rig, { seen: [], frames: [], refuse: null, silent: false, ahead: null, asked: [] });
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });
}
