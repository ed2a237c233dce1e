/* A table as its player sees it: their hand, and whose turn it is. For programs that play. The web page
 * shows much more of a table, so it reads the socket's frames itself. */
import { randomId } from './ids.js';
import { ApiError } from './problem.js';
import {
  isEvent,
  type Command,
  type CommandType,
  type LegalMove,
  type Nack,
  type ServerFrame,
} from './protocol.js';
import { idempotencyKey, need, type Rest } from './rest.js';
import type { SocketAddress } from './opening.js';
import { LiveSocket, noTicket, type Connection } from './socket.js';

/** The server refused a command and changed nothing. */
export class Refused extends Error {
  readonly code: Nack['code'];
  constructor(readonly nack: Nack) {
    super(`${nack.code}: ${nack.text}`);
    this.code = nack.code;
  }
}

/** A refusal in the server's format. */
function refused(code: Nack['code'], text: string): Refused {
  return new Refused({ t: 'nack', id: '', code, text, cards: [] });
}

type Phase = Extract<ServerFrame, { t: 'snapshot' }>['d']['phase'];
type Settled = Extract<ServerFrame, { t: 'settled' }>['d'];
/** The parts of the response to taking a seat that are needed here. */
export type Seat = SocketAddress & { table_id: string };

const ENDS: readonly Connection[] = ['replaced', 'left', 'given_up', 'refused'];

export class Table {
  me: number | null = null;
  hand: string[] = [];
  phase: Phase = 'waiting';
  toMove: number | null = null;
  /** Whether the hand is waiting for this seat's grouping. */
  mustGroup = false;
  handNo = 0;
  settled: Settled | null = null;
  connection: Connection = 'connecting';
  readonly id: string;
  readonly socket: LiveSocket;
  private outOfHand = false;
  private nextHand: number | null = null;
  private seeded = 0;
  private refusal: unknown;
  private waiting: (() => void)[] = [];

  /** seat: the response to taking a seat, or the id of a table at which the player has one. heard: receives
   * every frame after it has been processed. */
  constructor(
    private readonly rest: Rest,
    private seat: Seat | string,
    private readonly heard: (frame: ServerFrame) => void = () => undefined,
  ) {
    this.id = typeof seat === 'string' ? seat : seat.table_id;
    this.socket = new LiveSocket({
      address: (signal) => this.address(signal),
      frame: (frame) => this.frame(frame),
      status: (status) => this.status(status),
    });
    this.socket.start();
  }

  /** Closes the socket without leaving the table. */
  close(): void {
    this.socket.stop();
    this.status('left');
  }

  /** Whether it is this seat's turn, or it must group its cards after another player's declaration. */
  get toAct(): boolean {
    return this.me !== null && (this.toMove === this.me || this.mustGroup);
  }

  /** Waits until it is this seat's turn. Between hands, it sends a seed and `ready`. False: the game is
   * over. */
  async turn(): Promise<boolean> {
    for (;;) {
      if (this.gone || (this.phase === 'over' && this.settled)) return false;
      if (this.toAct) return true;
      if (ENDS.includes(this.connection)) throw this.refusal ?? new Error(`the socket is ${this.connection}`);
      await new Promise<void>((done) => this.waiting.push(done));
    }
  }

  /** Whether the game ended while there was no connection, so that no more tickets are available. */
  private get gone(): boolean {
    return this.refusal instanceof ApiError && this.refusal.code === 'table_over';
  }

  /** Legal moves of this seat as commands, good ones first. Throws Refused if there are none because the
   * turn timed out or the game is over. */
  async legal(): Promise<LegalMove[]> {
    const frame = await this.do('legal', { hints: true });
    const moves = frame.t === 'legal' ? frame.d.moves : [];
    if (moves.length > 0) return moves;
    throw this.phase === 'over'
      ? refused('table_over', 'This table is closed.')
      : refused('not_your_turn', "It's not your turn.");
  }

  /** Makes one of these moves; a grouping is final. */
  async play({ t, d }: LegalMove): Promise<void> {
    await this.do(t, (t === 'group' ? { ...d, done: true } : d) as Command['d']);
  }

  /** Sends a command, and sends it again after each reconnection until there is a reply. Throws Refused if
   * the server refuses it. */
  async do(t: CommandType, d: Command['d'] = {}): Promise<ServerFrame> {
    const reply = await this.socket.send({ t, d } as Command, undefined);
    if (!reply.ok) throw new Refused(reply.nack);
    return reply.frame;
  }

  private async address(signal: AbortSignal): Promise<SocketAddress> {
    const seat = this.seat;
    this.seat = this.id;
    if (typeof seat !== 'string') return seat;
    try {
      const params = { path: { table: this.id }, header: idempotencyKey() };
      return await need(this.rest.POST('/v1/tables/{table}/tickets', { params, signal }));
    } catch (error) {
      this.refusal = error;
      throw noTicket(error);
    }
  }

  private status(status: Connection): void {
    this.connection = status;
    if (status === 'open') this.refusal = undefined;
    if (status === 'open' && this.me === null) this.getReady(1);
    this.wake();
  }

  private frame(frame: ServerFrame): void {
    if (isEvent(frame)) this.event(frame.t, frame.seat ?? null, frame.d as Wire);
    else if (frame.t === 'snapshot') this.snapshot(frame.d);
    else if (frame.t === 'next_hand') this.nextHand = frame.d.hand_no;
    else if (frame.t === 'settled') this.settled = frame.d;
    if (this.phase === 'hand_over' && this.nextHand !== null) this.getReady(this.nextHand);
    this.heard(frame);
    this.wake();
  }

  private wake(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const done of waiting) done();
  }

  /** Sends a seed for the shuffle of a hand, but only once. A seed that arrives too late has no effect. */
  private getReady(handNo: number): void {
    if (this.seeded >= handNo) return;
    this.seeded = handNo;
    void this.socket.send({ t: 'seed', d: { seed: randomId(32) } }, undefined);
    if (handNo > 1) void this.socket.send({ t: 'ready', d: {} }, undefined);
  }

  private snapshot(d: Extract<ServerFrame, { t: 'snapshot' }>['d']): void {
    const mine = (seats: number[]) => d.me !== null && seats.includes(d.me);
    this.me = d.me;
    this.hand = [...d.hand];
    this.phase = d.phase;
    this.toMove = d.to_move;
    this.mustGroup = mine(d.to_group);
    this.outOfHand = mine([...d.dropped, ...d.wrong, ...d.sat_out]);
    this.handNo = d.hand_no;
  }

  private event(t: string, seat: number | null, d: Wire): void {
    if (t === 'dealt') {
      this.handNo = d.hand_no ?? this.handNo;
      this.outOfHand = false;
    } else if (t === 'turn') {
      this.toMove = seat;
      this.phase = d.phase ?? this.phase;
    } else if (t === 'declared' && d.valid) {
      this.toMove = null;
      this.phase = 'group';
      this.mustGroup = this.me !== null && seat !== this.me && this.hand.length > 0 && !this.outOfHand;
    } else if (t === 'hand_ended') {
      this.toMove = null;
      this.phase = 'hand_over';
      this.mustGroup = false;
    } else if (t === 'session_ended') this.phase = 'over';
    if (seat !== null && seat === this.me) this.own(t, d);
  }

  /** Effects on the player's hand. */
  private own(t: string, d: Wire): void {
    const { card, joker, cards = [] } = d;
    if (t === 'dealt') this.hand = [...cards];
    else if (t === 'drew') this.change([card], []);
    else if (t === 'draw_cancelled' || t === 'laid_off') this.change([], [card]);
    else if (t === 'melded' || t === 'discarded') this.change([], cards);
    else if (t === 'taken_back') this.change(cards, []);
    else if (t === 'swapped') this.change([joker], [card]);
    else if (t === 'swap_undone') this.change([card], [joker]);
    else if (t === 'dropped' || t === 'declared') this.outOfHand = true;
    else if (t === 'grouped' && d.done) this.mustGroup = false;
    if (t === 'drew') this.phase = 'play';
    if (t === 'draw_cancelled') this.phase = 'draw';
  }

  private change(more: (string | undefined)[], less: (string | undefined)[]): void {
    const kept = this.hand.filter((card) => !less.includes(card));
    this.hand = [...kept, ...more.filter((card) => card !== undefined)];
  }
}

/** The event data used here. */
interface Wire {
  hand_no?: number;
  phase?: Phase;
  valid?: boolean;
  done?: boolean;
  card?: string;
  joker?: string;
  cards?: string[];
}
