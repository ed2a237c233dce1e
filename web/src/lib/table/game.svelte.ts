/* One table in the page: the reactive shell around the pure reducer and the socket. What the player does with it
 * is in its parts: their hand, their moves, what they can say of the deals, the talk. Components read its fields. */
import { say } from '$lib/messages/messages';
import { tick } from 'svelte';
import { api, idempotencyKey, need, type ApiError, type Me } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';
import { missedLines } from './missed';
import { applyEvent } from './apply';
import type { Card } from '$lib/cards/cards';
import { Chat } from './chat.svelte';
import { Deals } from './deals.svelte';
import { feel, feelEvents } from '$lib/feel/feel';
import { isWild, judgeGrouping, type Judged, type Wild } from '$lib/rules/groups';
import { allCards } from './hand';
import { Moves } from './moves.svelte';
import { OwnHand } from './own-hand.svelte';
import { Sending } from './sending.svelte';
import {
  isEvent,
  LiveSocket,
  noTicket,
  type Command,
  type Connection,
  type LegalMove,
  type Nack,
  type Reply,
  type ServerFrame,
  type SettledSeat,
  type SocketAddress,
  type TableEvent,
  type WireClock,
  type WireNext,
  type WireWaiting,
} from '@rummyd/client';
import { rulesOf, type Rules } from '$lib/rules/rules';
import type { LineEnd, OpenLine, TableLine } from './line';
import * as table from './state';
import { askTicket, takeTicket } from './tickets';
import { describe, nickOf, refusalSaid } from './text';

export interface Note {
  text: string;
  tone: 'refused' | 'info';
  cards: Card[];
}
export interface LogLine {
  v: number;
  seat: number | null;
  text: string;
}
/** Shown cards before and after a batch of events: the page lets them fly. */
export interface Stage {
  before(): void;
  after(events: TableEvent[]): void;
}

const LOG_MAX = 80;
/** A command given now goes out when there is a connection again. */
const COMES_BACK: readonly Connection[] = ['connecting', 'lost', 'restarting', 'slow', 'flooding'];
/** More events at once are a catch-up after a lost connection: shown without flights. */
const FLIGHT_EVENTS_MAX = 12;
const NOTE_MS = 7000;
export class TableGame {
  state = $state.raw<table.TableState | null>(null);
  connection = $state<Connection>('connecting');
  refusedCode = $state('');
  note = $state.raw<Note | null>(null);
  log = $state.raw<LogLine[]>([]);
  said = $state('');
  /** What was said of a discard, if nothing has happened since. */
  private thrown = '';
  clock = $state.raw<(WireClock & { at: number }) | null>(null);
  startsAt = $state<number | null>(null);
  settled = $state.raw<SettledSeat[] | null>(null);
  gameId = $state<string | null>(null);
  /** The player's account before the game counted, as far as this page saw it. */
  before: Me | null = null;
  /** Enters this table, where it is private. */
  code = $state('');
  /** So much later a watcher sees the table. */
  delayMs = $state(0);
  /** Free seats that bots will have. */
  botsComing = $state(0);
  /** Bots take every seat that is free at the start; these seats ask for that now. */
  botsFill = $state(false);
  botsAsked = $state.raw<number[]>([]);
  /** Seat of the player who alone asks for them: the host of a private table. */
  host = $state<number | null>(null);
  /** A practice table stands still until the person of this seat is back. */
  waitsFor = $state<number | null>(null);
  /** Seats of this table whose players play again, once somebody does. */
  again = $state.raw<number[]>([]);
  /** Why the table was called off, once it was: every stake goes back. */
  cancelled = $state('');
  /** How many answers are waited for. */
  private waited = $state(0);
  readonly busy = $derived(this.waited > 0);
  /** A move is on its way. */
  moving = $state(false);
  /** What was played for this seat while its player was not there. */
  missed = $state.raw<string[] | null>(null);
  stage: Stage | null = null;
  readonly chat = new Chat();
  readonly moves = new Moves(this);
  readonly hand: OwnHand;
  readonly deals: Deals;

  private readonly sending = new Sending();
  private readonly line: TableLine;
  /** Which of its connections the chat was loaded over. */
  private chatOf = 0;
  private batch: TableEvent[] = [];
  private noteTimer: ReturnType<typeof setTimeout> | undefined;

  /** id: empty for a table that is on no server; nothing of it is kept. watching: without a seat; what is public is
   * all there is. */
  constructor(
    readonly id: string,
    readonly watching = false,
    private readonly watchCode = '',
    /** Of a table in this browser: nothing of it goes to the server. */
    readonly local: OpenLine | null = null,
  ) {
    this.hand = new OwnHand(id);
    this.deals = new Deals(id);
    const end: LineEnd = {
      frame: (frame) => this.receive(frame),
      status: (status) => this.connected(status),
    };
    this.line = local?.(end) ?? new LiveSocket({ ...end, address: (signal) => this.address(signal) });
  }

  get myTurn(): boolean {
    return !this.watching && this.state !== null && table.isMyTurn(this.state);
  }
  get drawing(): boolean {
    return this.myTurn && this.state?.phase === 'draw';
  }
  get playing(): boolean {
    return this.myTurn && this.state?.phase === 'play';
  }
  /** The hand is over; perhaps the session, too. */
  get over(): boolean {
    return this.state?.phase === 'hand_over' || this.state?.phase === 'over';
  }
  get grouping(): boolean {
    return !this.watching && this.state !== null && table.isMyGrouping(this.state);
  }
  get rules(): Rules {
    return this.state?.rules ?? rulesOf('rummy51');
  }
  get declares(): boolean {
    return this.rules.family === 'declare';
  }
  get wild(): Wild {
    return table.wildOf(this.state ?? { rules: this.rules, wildCard: null });
  }
  /** Marked on its face: wild, and no printed joker. */
  isWild(card: Card): boolean {
    return this.declares && isWild(this.wild, card);
  }
  /** The commitment of the hand that is played, or comes next. */
  get seal(): string {
    const handNo = this.state?.next?.handNo ?? Math.max(1, this.state?.handNo ?? 1);
    return this.deals.witness(handNo).commit || this.state?.table.commit || '';
  }
  /** The hand as it is grouped, `finish` laid aside while one is to be thrown. */
  judged(finish: Card | null = this.playing ? this.hand.finish : null): Judged {
    const { groups, loose } = this.hand.grouped(finish);
    return judgeGrouping(
      this.wild,
      groups.filter((g) => g.length > 0),
      loose,
    );
  }
  get me(): table.SeatState | undefined {
    return this.state ? table.mySeat(this.state) : undefined;
  }
  /** In the turn of the opening each group may have one joker. */
  get opening(): boolean {
    return (
      this.me !== undefined && (!this.me.opened || (this.myTurn && this.state?.turn.openingTurn === true))
    );
  }
  /** What the player is told of the line. */
  get shownLine(): Connection | 'sending' {
    return this.connection === 'open' && this.sending.long ? 'sending' : this.connection;
  }

  start(): void {
    this.line.start();
  }

  stop(): void {
    clearTimeout(this.noteTimer);
    this.line.stop();
  }

  /** The player wants this table here, and now. */
  reconnect(): void {
    this.line.resume();
  }

  private async address(signal: AbortSignal): Promise<SocketAddress> {
    const kept = takeTicket(this.id);
    try {
      if (this.watching) {
        const params = { path: { table: this.id }, header: idempotencyKey() };
        const body = this.watchCode ? { code: this.watchCode } : {};
        const ticket = await need(api.POST('/v1/tables/{table}/spectators', { params, body, signal }));
        this.delayMs = ticket.delay_ms;
        return ticket;
      }
      const seat = await (kept ?? askTicket(this.id, signal));
      this.code = seat.code ?? this.code;
      return seat;
    } catch (error) {
      this.refusedCode = (error as ApiError).code;
      throw noTicket(error);
    }
  }

  private connected(status: Connection): void {
    this.connection = status;
    if (this.watching || status !== 'open' || this.chatOf === this.line.connections) return;
    this.chatOf = this.line.connections; // not after a pause, nor when a silent line answers after all
    if (!this.local) void this.loadChat();
    if (this.state === null || this.state.phase === 'waiting') void this.sendSeed(1);
  }

  private async loadChat(): Promise<void> {
    const params = { path: { table: this.id } };
    const page = await need(api.GET('/v1/tables/{table}/chat', { params })).catch(() => null);
    if (page) this.chat.before(page.items);
  }

  private async sendSeed(handNo: number): Promise<void> {
    const seed = this.deals.seedFor(handNo);
    const reply = await this.line.send({ t: 'seed', d: { seed } }, undefined);
    if (reply.ok) this.deals.seedTaken(handNo, seed);
  }

  /* ---- Frames ---------------------------------------------------------------------------------- */

  private receive(frame: ServerFrame): void {
    if (isEvent(frame)) {
      this.event(frame);
      return;
    }
    switch (frame.t) {
      case 'snapshot':
        this.snapshot(table.fromSnapshot(frame.v, frame.d));
        if (frame.d.clock) this.setClock(frame.d.clock);
        break;
      case 'clock':
        this.setClock(frame.d);
        break;
      case 'presence':
        if (this.state) this.state = table.withPresence(this.state, frame.d.seat, frame.d.on);
        break;
      case 'waiting':
        this.waiting(frame.d);
        this.startsAt = frame.d.starts_in_ms === null ? null : Date.now() + frame.d.starts_in_ms;
        this.deals.sealed(1, frame.d.commit);
        break;
      case 'next_hand':
        this.nextHand(frame.d);
        break;
      case 'chat':
      case 'emote':
        this.chat.heard(frame.d, this.state?.me ?? null);
        break;
      case 'played_for_you':
        this.missed = missedLines(frame.d);
        break;
      case 'watchers':
        this.chat.watchers = frame.d.n;
        break;
      case 'rematch':
        this.again = frame.d.seats;
        break;
      case 'waiting_for':
        this.waitsFor = frame.d.seat;
        break;
      case 'cancelled':
        this.cancelled = frame.d.reason;
        break;
      case 'settled':
        this.before ??= session.me;
        this.settled = frame.d.seats;
        this.gameId = frame.d.game_id;
        break;
      case 'fairness':
        void this.deals.check(frame.d, this.state ?? { rules: this.rules, me: null, starter: null });
        break;
      default:
        break;
    }
  }

  private waiting(frame: WireWaiting): void {
    this.botsComing = frame.bots_n;
    this.botsFill = frame.bots;
    this.host = frame.host;
    this.botsAsked = frame.seats.filter((s) => s.ready).map((s) => s.seat);
    const player = session.me?.id ?? null;
    this.state = this.state
      ? table.withSeats(this.state, frame.seats)
      : table.fromWaiting(this.id, frame, player);
  }

  /** The seal of the coming hand is known: only now this browser sends its seed for it. */
  private nextHand(wire: WireNext): void {
    if (!this.state) return;
    const startsAt = wire.starts_in_ms === null ? null : Date.now() + wire.starts_in_ms;
    const { hand_no: handNo, commit, ready } = wire;
    this.waitsFor = null;
    this.state = table.withNext(this.state, { handNo, commit, startsAt, ready });
    this.deals.sealed(handNo, commit);
    if (!this.deals.witness(handNo).seed && !this.watching) void this.sendSeed(handNo);
  }

  private snapshot(state: table.TableState): void {
    const fresh = table.isFreshDeal(state) && this.state?.phase === 'waiting';
    if (fresh) this.stage?.before();
    this.state = { ...state, history: this.state?.history ?? state.history };
    this.deals.snapshot(state);
    this.hand.snapshot(state);
    if (fresh) void this.showDeal(state);
  }

  /** A snapshot that shows the hand just dealt: sorted, and the cards fly as they do for the event. */
  private async showDeal(state: table.TableState): Promise<void> {
    this.hand.sort('suit');
    this.said = say('event.dealt', { n: state.hand.length });
    await tick();
    const cards = allCards(this.hand.order);
    const d = { cards, n: cards.length, hand_no: state.handNo, stock_n: state.stockN };
    const dealt: TableEvent = { v: state.v, t: 'dealt', seat: state.me ?? 0, d };
    this.stage?.after([dealt]);
    feelEvents([dealt], state.me);
  }

  private setClock(clock: WireClock): void {
    this.waitsFor = null;
    this.clock = { ...clock, at: performance.now() };
  }

  private event(event: TableEvent): void {
    if (!this.state) return;
    if (this.batch.length === 0) this.stage?.before();
    const state = applyEvent(this.state, event);
    this.state = state;
    this.deals.event(event, state);
    this.batch.push(event);
    if (this.batch.length === 1) queueMicrotask(() => void this.flush());
    this.hand.event(event, state);
    this.write(event, state);
  }

  private async flush(): Promise<void> {
    const events = this.batch;
    await tick();
    this.batch = [];
    if (events.length > FLIGHT_EVENTS_MAX) return;
    this.stage?.after(events);
    feelEvents(events, this.state?.me ?? null);
  }

  private write(event: TableEvent, state: table.TableState): void {
    const text = describe(event, state);
    if (event.t === 'turn') this.moves.hints = null;
    if (event.t === 'hand_ended') this.moves.doubt = null;
    if (!text) return;
    this.log = [...this.log, { v: event.v, seat: event.seat ?? null, text }].slice(-LOG_MAX);
    /* The turn follows at once, and what lies on the pile is what the player has to know first. */
    this.said = event.t === 'turn' && this.thrown ? `${this.thrown} ${text}` : text;
    this.thrown = event.t === 'discarded' ? text : '';
  }

  /* ---- The player ------------------------------------------------------------------------------- */

  toggle(card: Card): void {
    this.moves.choice = null;
    this.hand.toggle(card);
  }

  select(cards: readonly Card[]): void {
    this.moves.choice = null;
    this.hand.selected = cards;
  }

  say(text: string, tone: Note['tone'], cards: Card[] = []): void {
    clearTimeout(this.noteTimer);
    this.note = { text, tone, cards };
    this.noteTimer = setTimeout(() => {
      this.note = null;
    }, NOTE_MS);
  }

  nick(seat: number | null): string {
    return this.state ? nickOf(this.state, seat) : '';
  }

  /** True once the server has taken it. */
  async command(command: Command): Promise<boolean> {
    if (this.sending.long || !(this.connection === 'open' || COMES_BACK.includes(this.connection))) {
      this.say(say(this.sending.long ? 'connection.on_its_way' : 'connection.paused'), 'info');
      return false;
    }
    const talk = command.t === 'chat' || command.t === 'emote';
    this.moving = !talk;
    try {
      return (await this.ask(command, talk ? undefined : this.state?.v)).ok;
    } finally {
      this.moving = false;
    }
  }

  private legal: Promise<LegalMove[] | null> | null = null;

  /** What could be played now; null if it was not said. Whoever asks while it is being asked for gets the same. */
  askLegal(): Promise<LegalMove[] | null> {
    this.legal ??= this.readLegal().finally(() => (this.legal = null));
    return this.legal;
  }

  private async readLegal(): Promise<LegalMove[] | null> {
    const reply = await this.ask({ t: 'legal', d: { hints: true } }, this.state?.v);
    return reply.ok && reply.frame.t === 'legal' ? reply.frame.d.moves : null;
  }

  private async ask(command: Command, version: number | undefined): Promise<Reply> {
    this.note = null;
    this.waited++;
    try {
      const reply = await this.sending.follow(this.line.send(command, version));
      if (!reply.ok) this.refused(reply.nack);
      return reply;
    } finally {
      this.waited--;
    }
  }

  private refused(nack: Nack): void {
    void feel('refused');
    if (nack.code !== 'lost') this.say(refusalSaid(nack), 'refused', nack.cards);
  }
}
