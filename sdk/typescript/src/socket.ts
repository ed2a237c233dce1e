/* The socket of one table, or of the lobby. It connects with a new ticket, requests missed events, detects
 * a dead connection and reconnects by itself, and resends unacknowledged commands (the same command id
 * takes effect only once). It delivers events without gaps, each of them once. */
import { firstAnswer } from './asking.js';
import { Liveness } from './liveness.js';
import { openSocket, type SocketAddress } from './opening.js';
import { isHidden, watchPage, type Told } from './page.js';
import { ApiError } from './problem.js';
import { CLOSE, isEvent, type Command, type Nack, type ServerFrame } from './protocol.js';
import { Waits } from './waits.js';

export type Connection =
  | 'connecting'
  | 'open'
  | 'paused'
  | 'restarting'
  | 'slow'
  | 'flooding'
  | 'lost'
  | 'replaced'
  | 'left'
  | 'given_up'
  | 'refused';

export interface SocketPort {
  /** Returns a ticket for the table, or throws the result of `noTicket`. It may be called again before it
   * has returned. */
  address(signal: AbortSignal): Promise<SocketAddress>;
  /** Frames in order. Events are delivered one by one; missed ones are requested first. */
  frame(frame: ServerFrame): void;
  status(status: Connection): void;
}
export type Reply = { ok: true; frame: ServerFrame } | { ok: false; nack: Nack };

interface Pending {
  text: string;
  again: boolean;
  done: (reply: Reply) => void;
  /** Runs from the first time the command was sent. */
  late?: ReturnType<typeof setTimeout>;
}

/** A handshake that takes longer than this has failed. The next one may take twice as long. */
const OPEN_MS = 2500;
const OPEN_MS_MAX = 10_000;
/** A command without a reply within this time is sent once more over another connection. */
const LATE_MS = 4000;
/** An abandoned handshake may still succeed within this time, after the one that replaced it. */
const GHOST_MS = 30_000;
const PENDING_MAX = 32;

/** Errors after which the player cannot get another ticket for the table. */
const NO_TICKET = ['table_over', 'table_lost', 'has_seat'];

/** Why there is no ticket. */
export interface NoTicket {
  /** There will be no more tickets. */
  fatal: boolean;
  /** Whether the server responded. */
  reached: boolean;
  /** Time until the next attempt is allowed, in ms. */
  waitMs: number | null;
}

/** The error that a port must throw if it got this error instead of a ticket. */
export function noTicket(error: unknown): Error & NoTicket {
  const { status, code, retryS } = error instanceof ApiError ? error : new ApiError(undefined, 0);
  const fatal = [401, 403, 404].includes(status) || NO_TICKET.includes(code);
  const waitMs = retryS === null ? null : retryS * 1000;
  return Object.assign(new Error(code), { fatal, reached: status !== 0, waitMs });
}

const WHY: Partial<Record<number, Connection>> = {
  [CLOSE.RESTARTING]: 'restarting',
  [CLOSE.TOO_SLOW]: 'slow',
  [CLOSE.FLOODING]: 'flooding',
};

const ENDS: Partial<Record<number, Connection>> = {
  [CLOSE.REPLACED]: 'replaced',
  [CLOSE.LEFT]: 'left',
  [CLOSE.FORBIDDEN]: 'refused',
  [CLOSE.LOST]: 'given_up',
};

const lost = (id: string): Reply => ({
  ok: false,
  nack: { t: 'nack', id, code: 'lost', cards: [], text: '' },
});

export class LiveSocket {
  /** The open or opening socket. While it is silent, another ticket is requested, but the socket may still
   * respond first. */
  private socket: WebSocket | null = null;
  /** Number of connections so far. */
  connections = 0;
  private readonly pending = new Map<string, Pending>();
  private readonly prefix = Math.random().toString(36).slice(2, 8);
  private next = 1;
  private readonly waits = new Waits();
  private readonly line = new Liveness(
    () => this.ping(),
    (silent) => (silent ? this.fellSilent() : this.spoke()),
  );
  /** The current ticket request. */
  private asking: AbortController | null = null;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private openTimer: ReturnType<typeof setTimeout> | undefined;
  /** Consecutive handshakes without a response, and when the last one was abandoned. */
  private unopened = 0;
  private ghostAt = -Infinity;
  private paused = false;
  /** Whether the socket was stopped or has ended for good. */
  private over = true;
  /** The last event delivered, or null before a snapshot. */
  private v: number | null = null;
  /** Why there is no connection; used until there is one. */
  private why: Connection = 'lost';
  private unwatch = (): void => undefined;

  constructor(private readonly port: SocketPort) {}

  start(): void {
    this.over = false;
    this.unwatch();
    this.unwatch = watchPage((what) => this.told(what));
    void this.connect();
  }

  /** Closes the socket for good. Nothing is reported afterward. */
  stop(): void {
    this.unwatch();
    this.drop();
    for (const waiting of this.pending.values()) clearTimeout(waiting.late);
    this.over = true;
  }

  /** Drops the connection and reconnects at once, after a gap in the events or at the player's request. */
  resume(): void {
    this.over = false;
    this.waits.tries = 0;
    this.drop();
    void this.connect();
  }

  send(command: Command, base: number | undefined): Promise<Reply> {
    const id = `${this.prefix}-${this.next++}`;
    const text = JSON.stringify({ t: command.t, id, base, d: command.d });
    return new Promise((done) => {
      if (this.pending.size >= PENDING_MAX) {
        done({
          ok: false,
          nack: { t: 'nack', id, code: 'busy', cards: [], text: 'Too many commands are unanswered.' },
        });
        return;
      }
      const again = command.t !== 'ping' && command.t !== 'legal';
      const waiting: Pending = { text, again, done };
      this.pending.set(id, waiting);
      if (this.socket?.readyState === WebSocket.OPEN) this.transmit(this.socket, waiting);
    });
  }

  private transmit(socket: WebSocket, waiting: Pending): void {
    waiting.late ??= setTimeout(() => this.late(), LATE_MS);
    socket.send(waiting.text);
  }

  /* ---- State of the connection ------------------------------------------------------------------ */

  private told(what: Told): void {
    if (this.over || isHidden()) return;
    if (this.socket?.readyState === WebSocket.OPEN && !this.line.silent) this.line.ask(true);
    else if (what !== 'offline' && !this.waits.ordered) this.hurry();
  }

  /** Reconnects when the network may have recovered, because pending requests and unanswered frames are
   * useless by then. */
  private hurry(): void {
    this.waits.afresh();
    if (!this.line.silent) this.closeSocket();
    void this.connect();
  }

  private ping(): void {
    if (this.socket?.readyState === WebSocket.OPEN)
      this.socket.send(JSON.stringify({ t: 'ping', id: `${this.prefix}-p${this.next++}` }));
  }

  private fellSilent(): void {
    this.why = 'lost';
    this.waits.failed();
    void this.connect();
  }

  /** Called if a silent connection responds after all, before another one has opened. */
  private spoke(): void {
    this.stopAsking();
    this.port.status(this.paused ? 'paused' : 'open');
  }

  /** Called if a command got no reply although the connection works. Reconnects to send it again. */
  private late(): void {
    if (this.paused || this.line.silent || this.socket?.readyState !== WebSocket.OPEN) return;
    this.drop();
    this.fellSilent();
  }

  /* ---- Connecting -------------------------------------------------------------------------------- */

  private drop(): void {
    this.stopAsking();
    this.closeSocket();
  }

  private stopAsking(): void {
    clearTimeout(this.retryTimer);
    this.asking?.abort();
    this.asking = null;
  }

  private closeSocket(): void {
    clearTimeout(this.openTimer);
    this.line.close();
    const old = this.socket;
    this.socket = null;
    if (old?.readyState === WebSocket.CONNECTING) this.ghostAt = Date.now();
    old?.close(1000);
  }

  /** quiet: the attempt is reported only if it fails. */
  private async connect(quiet = false): Promise<void> {
    this.stopAsking();
    const first = this.waits.tries === 0;
    if (!quiet) this.port.status(first ? 'connecting' : this.why);
    const asking = new AbortController();
    this.asking = asking;
    let address: SocketAddress;
    try {
      address = await firstAnswer((signal) => this.port.address(signal), {
        signal: asking.signal,
        parallel: !first && this.why === 'lost' && !isHidden(),
      });
    } catch (error) {
      if (asking === this.asking) this.noTicket(error as Partial<NoTicket>);
      return;
    }
    if (asking !== this.asking) return;
    this.asking = null;
    this.closeSocket();
    this.open(address);
  }

  /** Called if another node has taken over the table. Connects there at once and resends unanswered
   * commands. */
  private moved(): void {
    this.waits.tries = 0;
    this.why = 'restarting';
    this.drop();
    void this.connect(true);
  }

  private noTicket({ fatal, reached, waitMs }: Partial<NoTicket>): void {
    this.asking = null;
    if (fatal) {
      this.end('refused');
      return;
    }
    if (typeof waitMs === 'number') this.waits.tell(waitMs);
    this.later(this.why, reached ?? false);
  }

  private open(address: SocketAddress): void {
    const ahead = address.ahead?.take();
    const socket = ahead?.socket ?? openSocket(address, this.v);
    this.socket = socket;
    this.paused = false;
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (message) => this.received(socket, message.data as string);
    socket.onclose = (event) => this.closed(socket, event.code);
    this.openTimer = setTimeout(() => this.unanswered(), Math.min(OPEN_MS * 2 ** this.unopened, OPEN_MS_MAX));
    if (socket.readyState === WebSocket.OPEN) this.opened(socket);
    for (const text of ahead?.heard ?? []) this.received(socket, text);
  }

  private unanswered(): void {
    this.unopened++;
    this.closeSocket();
    this.later(this.why, false);
  }

  private opened(socket: WebSocket): void {
    if (socket !== this.socket) return;
    clearTimeout(this.openTimer);
    this.unopened = 0;
    this.connections++;
    this.waits.opened();
    for (const [id, waiting] of this.pending) {
      if (waiting.again) this.transmit(socket, waiting);
      else this.settle(id, lost(id));
    }
    this.port.status('open');
    this.line.open();
  }

  private closed(socket: WebSocket, code: number): void {
    if (socket !== this.socket) return;
    const end = ENDS[code];
    const ours = code === CLOSE.REPLACED && Date.now() - this.ghostAt < GHOST_MS;
    this.closeSocket();
    if (end && !ours) {
      this.end(end);
      return;
    }
    this.ghostAt = -Infinity;
    const { ordered } = this.waits.closed(code);
    if (this.asking !== null && !ordered) return; // the silent connection's replacement is already being requested
    this.stopAsking();
    this.later(WHY[code] ?? 'lost', true);
  }

  private end(status: Connection): void {
    this.drop();
    this.over = true;
    for (const id of [...this.pending.keys()]) this.settle(id, lost(id));
    this.port.status(status);
  }

  /** reached: whether the last attempt reached the server. */
  private later(why: Connection, reached: boolean): void {
    if (this.over) return;
    this.why = why;
    const wait = this.waits.next(reached);
    this.port.status(why);
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => void this.connect(), wait);
  }

  /* ---- Frames ------------------------------------------------------------------------------------- */

  private received(socket: WebSocket, text: string): void {
    if (socket !== this.socket) return;
    this.waits.heard();
    const frame = JSON.parse(text) as ServerFrame;
    if (frame.t === 'pong' || frame.t === 'ack' || frame.t === 'nack' || frame.t === 'legal')
      this.answered(frame);
    if (frame.t === 'restarting') this.waits.tell(frame.d.retry_ms);
    if (frame.t === 'moved') this.moved();
    if (frame.t === 'paused' || frame.t === 'resumed') {
      this.paused = frame.t === 'paused';
      this.port.status(this.paused ? 'paused' : 'open');
    }
    if (this.isNext(frame)) this.port.frame(frame);
  }

  private answered(frame: Extract<ServerFrame, { t: 'pong' | 'ack' | 'nack' | 'legal' }>): void {
    if (frame.id === null) return;
    this.line.answered();
    if (frame.t === 'nack') this.settle(frame.id, { ok: false, nack: frame });
    else if (frame.t !== 'pong') this.settle(frame.id, { ok: true, frame });
  }

  /** Events are never delivered twice. After a gap, the missing events come first. */
  private isNext(frame: ServerFrame): boolean {
    if (frame.t === 'snapshot') this.v = frame.v;
    if (!isEvent(frame)) return true;
    const known = this.v ?? 0;
    if (frame.v > known + 1) this.resume();
    if (frame.v !== known + 1) return false;
    this.v = frame.v;
    return true;
  }

  private settle(id: string, reply: Reply): void {
    const waiting = this.pending.get(id);
    if (!waiting) return;
    clearTimeout(waiting.late);
    this.pending.delete(id);
    waiting.done(reply);
  }
}
