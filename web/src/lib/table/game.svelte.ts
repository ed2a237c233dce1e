/* One table on the page: the reactive shell around the pure reducer and the socket. Its parts handle the
 * hand, moves, deal checks, and chat. Components read its fields. */
import { say } from '$lib/messages/messages';
import { tick } from 'svelte';
import { api, idempotencyKey, need, type ApiError, type Me } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';
import { dealtOut, readOut, standing } from './commentary';
import { missedLines } from './missed';
import { applyEvent } from './apply';
import type { Card } from '$lib/cards/cards';
import { Chat, type Said } from './chat.svelte';
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
import type { ConnectionReceiver, OpenConnection, TableConnection } from './connection';
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
/** Visible cards before and after a batch of events, for the animation. */
export interface Stage {
  before(): void;
  after(events: TableEvent[]): void;
}

/** One line of the spoken commentary. */
export interface Heard {
  id: number;
  text: string;
}

const LOG_MAX = 80;
const HEARD_MAX = 30;
/** In these states, a command is sent once the connection is restored. */
const COMES_BACK: readonly Connection[] = ['connecting', 'lost', 'restarting', 'slow', 'flooding'];
/** A larger number of simultaneous events means that the connection was lost, so they are shown without
 * flights. */
const FLIGHT_EVENTS_MAX = 12;
const NOTE_MS = 7000;
export class TableGame {
  state = $state.raw<table.TableState | null>(null);
  connection = $state<Connection>('connecting');
  refusedCode = $state('');
  note = $state.raw<Note | null>(null);
  log = $state.raw<LogLine[]>([]);
  said = $state('');
  /** Spoken commentary. */
  heard = $state.raw<readonly Heard[]>([]);
  /** The announcement of a discard, if nothing has happened since. */
  private thrown = '';
  clock = $state.raw<(WireClock & { at: number }) | null>(null);
  startsAt = $state<number | null>(null);
  settled = $state.raw<SettledSeat[] | null>(null);
  gameId = $state<string | null>(null);
  /** The player's account before the game was settled, if this page loaded it. */
  before: Me | null = null;
  /** Code of the table, if it is private. */
  code = $state('');
  /** Delay for spectators. */
  delayMs = $state(0);
  /** Free seats that bots will take. */
  botsComing = $state(0);
  /** Whether bots take every seat that is free at the start, and the seats whose players request that. */
  botsFill = $state(false);
  botsAsked = $state.raw<number[]>([]);
  /** Seat of the only player who can request bots: the host of a private table. */
  host = $state<number | null>(null);
  /** Seat of the player for whose return a practice table is paused. */
  waitsFor = $state<number | null>(null);
  /** Seats of this table whose players want a rematch. */
  again = $state.raw<number[]>([]);
  /** Why the table was canceled; empty if it was not. Every stake is refunded. */
  cancelled = $state('');
  /** Number of pending replies. */
  private waited = $state(0);
  readonly busy = $derived(this.waited > 0);
  /** A move is pending. */
  moving = $state(false);
  /** Moves made for this seat while its player was away. */
  missed = $state.raw<string[] | null>(null);
  stage: Stage | null = null;
  readonly chat = new Chat();
  readonly moves = new Moves(this);
  readonly hand: OwnHand;
  readonly deals: Deals;

  private readonly sending = new Sending();
  private readonly line: TableConnection;
  /** Number of the connection over which the chat was loaded. */
  private chatOf = 0;
  private batch: TableEvent[] = [];
  private noteTimer: ReturnType<typeof setTimeout> | undefined;

  /** id: empty for a table without a server, of which nothing is stored. watching: the viewer has no seat
   * and sees only public information. */
  constructor(
    readonly id: string,
    readonly watching = false,
    private readonly watchCode = '',
    /** For a table in this browser, which sends nothing to the server. */
    readonly local: OpenConnection | null = null,
  ) {
    this.hand = new OwnHand(id);
    this.deals = new Deals(id);
    const end: ConnectionReceiver = {
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
  /** The hand is over, and possibly the session. */
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
  /** Whether the card's face is marked as wild. */
  isWild(card: Card): boolean {
    return this.declares && isWild(this.wild, card);
  }
  /** The commitment of the current hand, or of the next one. */
  get seal(): string {
    const handNo = this.state?.next?.handNo ?? Math.max(1, this.state?.handNo ?? 1);
    return this.deals.witness(handNo).commit || this.state?.table.commit || '';
  }
  /** Judges the hand as grouped, without the card for the finish slot during the player's turn. */
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
  /** Whether the opening rules apply, under which each group may have one joker. */
  get opening(): boolean {
    return (
      this.me !== undefined && (!this.me.opened || (this.myTurn && this.state?.turn.openingTurn === true))
    );
  }
  /** The connection state shown to the player. */
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

  /** Called if the player wants the table in this window. */
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
    this.chatOf = this.line.connections; // unchanged after a pause, and if a silent connection responds after all
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
        this.hearChat(this.chat.heard(frame.d, this.state?.me ?? null));
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

  /** Sends this browser's seed for the next hand, but only once the commitment of that hand is known. */
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
    if (this.state === null && state.phase !== 'waiting') this.hear(standing(state));
    this.state = { ...state, history: this.state?.history ?? state.history };
    this.deals.snapshot(state);
    this.hand.snapshot(state);
    if (fresh) void this.showDeal(state);
  }

  /** Shows a hand that has just been dealt and that arrived in a snapshot: sorts it, and animates the cards
   * as for the event. */
  private async showDeal(state: table.TableState): Promise<void> {
    this.hand.sort('suit');
    this.said = say('event.dealt', { n: state.hand.length });
    this.hear(dealtOut(state));
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
    if (event.t === 'turn') this.moves.hint = null;
    if (event.t === 'hand_ended') this.moves.doubt = null;
    this.hear(readOut(event, state, text));
    if (!text) return;
    this.log = [...this.log, { v: event.v, seat: event.seat ?? null, text }].slice(-LOG_MAX);
    /* The turn event follows at once, and the player needs to hear about the top discard first. */
    this.said = event.t === 'turn' && this.thrown ? `${this.thrown} ${text}` : text;
    this.thrown = event.t === 'discarded' ? text : '';
  }

  /** Announces a text to players who use a screen reader. */
  hear(text: string): void {
    if (!text) return;
    const id = (this.heard.at(-1)?.id ?? 0) + 1;
    this.heard = [...this.heard, { id, text }].slice(-HEARD_MAX);
  }

  private hearChat(said: Said | null): void {
    if (said && this.state && said.seat !== this.state.me) this.hear(`${this.nick(said.seat)}: ${said.text}`);
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

  /** Resolves to true if the server has accepted the command. */
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

  /** Currently legal moves; null if there was no reply. Concurrent calls share one request. */
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
