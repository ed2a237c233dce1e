/* The socket of one table, or of the lobby: connects with a fresh ticket, asks for what is missing, tries again by
 * itself, resends what was not acknowledged (the same command id has effect once). Events come without a gap, each once. */
import { ApiError } from './problem.js';
import { BACK_OFF, CLOSE, isEvent, type Command, type Nack, type ServerFrame } from './protocol.js';

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

export interface SocketAddress {
  ws_url: string;
  ticket: string;
}
export interface SocketPort {
  /** A ticket for the table; throws with `fatal: true` when there is none to be had any more. */
  address(): Promise<SocketAddress>;
  /** Frames in their order. Of the events the next one each; what was missed is asked for first. */
  frame(frame: ServerFrame): void;
  status(status: Connection): void;
}
export type Reply = { ok: true; frame: ServerFrame } | { ok: false; nack: Nack };

interface Pending {
  text: string;
  again: boolean;
  done: (reply: Reply) => void;
}

/** The server had too much of us: so long we are quiet. */
const FLOODED_MS = 10_000;
const RETRY_MS = [300, 700, 1500, 3000, 5000, 8000];
const PING_MS = 10_000;
const DEAD_MS = 25_000;
/** A try that is not open by then has failed: a request or a handshake may never be answered. */
const OPEN_MS = 10_000;
const PENDING_MAX = 32;

/** After these a table has no ticket for the player any more. */
const NO_TICKET = ['table_over', 'table_lost', 'has_seat'];

/** What a port throws when it got this instead of a ticket. */
export function noTicket(error: unknown): Error & { fatal: boolean } {
  const { status, code } = error instanceof ApiError ? error : new ApiError(undefined, 0);
  const fatal = [401, 403, 404].includes(status) || NO_TICKET.includes(code);
  return Object.assign(new Error(code), { fatal });
}

export function socketUrl(address: string, v: number | null): string {
  const url = new URL(address);
  if (v !== null) url.searchParams.set('v', String(v));
  return url.href;
}

const WHY: Partial<Record<number, Connection>> = {
  [CLOSE.RESTARTING]: 'restarting',
  [CLOSE.TOO_SLOW]: 'slow',
  [CLOSE.FLOODING]: 'flooding',
};

/** `online` is an event of browsers. */
const windows = globalThis as Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>>;

export class LiveSocket {
  private socket: WebSocket | null = null;
  private readonly pending = new Map<string, Pending>();
  private readonly prefix = Math.random().toString(36).slice(2, 8);
  private next = 1;
  private tries = 0;
  /** Connections in a row that the server could not keep, and since when there is one. */
  private failures = 0;
  private openedAt = 0;
  private retryTimer: ReturnType<typeof setTimeout> | undefined;
  private openTimer: ReturnType<typeof setTimeout> | undefined;
  /** Which try is on its way: what an earlier one hears counts no more. */
  private attempt = 0;
  private pingTimer: ReturnType<typeof setInterval> | undefined;
  private heardAt = 0;
  private retryIn: number | null = null;
  private stopped = false;
  /** The last event that was told, or null before a snapshot. */
  private v: number | null = null;
  /** Why there is no connection, until there is one. */
  private why: Connection = 'lost';
  private readonly online = () => this.hurry();

  constructor(private readonly port: SocketPort) {}

  start(): void {
    this.stopped = false;
    windows.addEventListener?.('online', this.online);
    void this.connect();
  }

  /** Ends it for good; nothing is reported afterwards. */
  stop(): void {
    this.stopped = true;
    windows.removeEventListener?.('online', this.online);
    clearTimeout(this.retryTimer);
    this.closeSocket();
  }

  /** Drops what there is and resumes at once: after a gap in the events, or when the player asks. */
  resume(): void {
    this.tries = 0;
    this.closeSocket();
    clearTimeout(this.retryTimer);
    void this.connect();
  }

  private hurry(): void {
    if (!this.socket && !this.stopped) this.resume();
  }

  send(command: Command, base: number | undefined): Promise<Reply> {
    const id = `${this.prefix}-${this.next++}`;
    const text = JSON.stringify({ t: command.t, id, base, d: command.d });
    return new Promise((done) => {
      if (this.pending.size >= PENDING_MAX) {
        done({
          ok: false,
          nack: { t: 'nack', id, code: 'busy', cards: [], text: 'Wait for the server, please.' },
        });
        return;
      }
      const again = command.t !== 'ping' && command.t !== 'legal';
      this.pending.set(id, { text, again, done });
      if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(text);
    });
  }

  private closeSocket(): void {
    this.attempt++;
    clearTimeout(this.openTimer);
    clearInterval(this.pingTimer);
    const old = this.socket;
    this.socket = null;
    old?.close(1000);
  }

  private async connect(): Promise<void> {
    this.port.status(this.tries === 0 ? 'connecting' : this.why);
    const attempt = ++this.attempt;
    clearTimeout(this.openTimer);
    this.openTimer = setTimeout(() => this.tryFailed(), OPEN_MS);
    let address: SocketAddress;
    try {
      address = await this.port.address();
    } catch (error) {
      if (attempt !== this.attempt) return;
      if ((error as { fatal?: boolean }).fatal) {
        this.closeSocket();
        this.end('refused');
      } else this.tryFailed();
      return;
    }
    if (attempt !== this.attempt) return;
    // The ticket is offered as a subprotocol: addresses are logged on the way.
    const protocols = ['rummy.v1', `ticket.${address.ticket}`];
    const socket = new WebSocket(socketUrl(address.ws_url, this.v), protocols);
    this.socket = socket;
    socket.onopen = () => this.opened(socket);
    socket.onmessage = (message) => this.received(socket, message.data as string);
    socket.onclose = (event) => this.closed(socket, event.code);
  }

  private tryFailed(): void {
    this.closeSocket();
    this.later();
  }

  private opened(socket: WebSocket): void {
    if (socket !== this.socket) return;
    clearTimeout(this.openTimer);
    this.heardAt = this.openedAt = Date.now();
    for (const [id, waiting] of this.pending) {
      if (waiting.again) socket.send(waiting.text);
      else this.settle(id, { ok: false, nack: { t: 'nack', id, code: 'lost', cards: [], text: '' } });
    }
    this.port.status('open');
    this.pingTimer = setInterval(() => this.ping(socket), PING_MS);
  }

  private ping(socket: WebSocket): void {
    if (Date.now() - this.heardAt > DEAD_MS) {
      this.closeSocket();
      this.later('lost');
    } else if (socket.readyState === WebSocket.OPEN) {
      socket.send(JSON.stringify({ t: 'ping', id: `${this.prefix}-p${this.next++}` }));
    }
  }

  private received(socket: WebSocket, text: string): void {
    if (socket !== this.socket) return;
    this.heardAt = Date.now();
    this.tries = 0;
    const frame = JSON.parse(text) as ServerFrame;
    if (frame.t === 'ack' || frame.t === 'legal') this.settle(frame.id, { ok: true, frame });
    else if (frame.t === 'nack' && frame.id !== null) this.settle(frame.id, { ok: false, nack: frame });
    if (frame.t === 'restarting') this.retryIn = frame.d.retry_ms;
    if (frame.t === 'paused') this.port.status('paused');
    if (frame.t === 'resumed') this.port.status('open');
    if (this.isNext(frame)) this.port.frame(frame);
  }

  /** What was told already is not told again; before what follows a gap comes what is missing. */
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
    this.pending.delete(id);
    waiting?.done(reply);
  }

  private closed(socket: WebSocket, code: number): void {
    if (socket !== this.socket) return;
    this.closeSocket();
    if (code === CLOSE.REPLACED) this.end('replaced');
    else if (code === CLOSE.LEFT) this.end('left');
    else if (code === CLOSE.FORBIDDEN) this.end('refused');
    else if (code === CLOSE.LOST) this.end('given_up');
    else {
      this.backOff(code);
      this.later(WHY[code] ?? 'lost');
    }
  }

  /** The server has trouble of its own: it is asked less and less often, as the contract says. */
  private backOff(code: number): void {
    if (Date.now() - this.openedAt >= BACK_OFF.reset_ms) this.failures = 0;
    if (!BACK_OFF.codes.some((c) => c === code)) return;
    const wait = Math.min(BACK_OFF.first_ms * BACK_OFF.factor ** this.failures, BACK_OFF.most_ms);
    this.failures++;
    this.retryIn = wait * (0.75 + Math.random() / 2);
  }

  private end(status: Connection): void {
    for (const id of [...this.pending.keys()])
      this.settle(id, { ok: false, nack: { t: 'nack', id, code: 'lost', cards: [], text: '' } });
    this.port.status(status);
  }

  private later(why: Connection = this.why): void {
    if (this.stopped) return;
    this.why = why;
    const step =
      why === 'flooding' ? FLOODED_MS : (RETRY_MS[Math.min(this.tries, RETRY_MS.length - 1)] ?? 1000);
    const wait = this.retryIn ?? step * (0.75 + Math.random() / 2);
    this.retryIn = null;
    this.tries++;
    this.port.status(why);
    clearTimeout(this.retryTimer);
    this.retryTimer = setTimeout(() => void this.connect(), wait);
  }
}
