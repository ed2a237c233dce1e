/* One table in the page: the reactive shell around the pure reducer, the socket and the player's own
 * arrangement of his hand. Components read its fields and call its actions. */
import { tick } from 'svelte';
import { api, idempotencyKey, need, type ApiError, type SeatTicket } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';
import { load, prune, randomId, save } from '$lib/api/storage';
import { verify, type Verdict, type Witness } from '$lib/fair/deal';
import { accountLines } from './account';
import { applyEvent } from './apply';
import { isJoker, type Card } from './cards';
import { isWild, judgeGrouping, GROUP_MIN, GROUPS_MAX, type Judged, type Wild } from './groups';
import { Chat } from './chat.svelte';
import * as hands from './hand';
import { discardKind, discardOrder, layOffEnds, proposeMelds, swappable, type MeldProposal } from './melds';
import {
  isEvent,
  type Command,
  type Emote,
  type End,
  type Fairness,
  type LegalMove,
  type Nack,
  type ServerFrame,
  type SettledSeat,
  type TableEvent,
  type WireClock,
  type WireNext,
  type WireSeat,
} from './protocol';
import { rulesOf, type Rules } from './rules';
import { TableSocket, type Connection, type Reply, type SocketAddress } from './socket';
import * as table from './state';
import { describe, nickOf } from './text';

/** Seats taken in this page, waiting for their table's page to open. */
// eslint-disable-next-line svelte/prefer-svelte-reactivity -- nothing shows it
const tickets = new Map<string, SeatTicket>();

export function keepTicket(seat: SeatTicket): void {
  tickets.set(seat.table_id, seat);
}

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
/** A declaration that the page would not make, and why; made only when the player insists. */
export interface Doubt {
  finish: Card;
  reason: string;
}
/** The check of one dealt hand. */
export interface Checked {
  handNo: number;
  fairness: Fairness;
  verdict: Verdict;
}
export interface Choice {
  title: string;
  options: { label: string; cards: Card[]; run: () => void }[];
}
/** An arrangement belongs to one hand: of two packs the same cards may be dealt again. */
interface KeptHand {
  handNo: number;
  order: hands.HandOrder;
}
/** Shown cards before and after a batch of events: the page lets them fly. */
export interface Stage {
  before(): void;
  after(events: TableEvent[]): void;
}

const NO_WITNESS: Witness = { commit: '', seed: '', seat: null, dealt: [] };
const LOG_MAX = 80;
const KEPT_TABLES = 8;
/** More events at once are a catch-up after a lost connection: shown without flights. */
const FLIGHT_EVENTS_MAX = 12;
const NOTE_MS = 7000;
/** Moves worth a hint; what may be thrown is no help. */
const HINTED = new Set<string>(['meld', 'lay_off', 'swap']);

export class TableGame {
  state = $state.raw<table.TableState | null>(null);
  connection = $state<Connection>('connecting');
  refusedCode = $state('');
  order = $state.raw<hands.HandOrder>(hands.EMPTY_ORDER);
  selected = $state.raw<readonly Card[]>([]);
  note = $state.raw<Note | null>(null);
  choice = $state.raw<Choice | null>(null);
  hints = $state.raw<LegalMove[] | null>(null);
  log = $state.raw<LogLine[]>([]);
  said = $state('');
  clock = $state.raw<(WireClock & { at: number }) | null>(null);
  startsAt = $state<number | null>(null);
  settled = $state.raw<SettledSeat[] | null>(null);
  gameId = $state<string | null>(null);
  /** Enters this table, where it is private. */
  code = $state('');
  /** So much later a watcher sees the table. */
  delayMs = $state(0);
  /** Free seats that bots will have. */
  botsComing = $state(0);
  /** Seats of this table whose players play again, once somebody does. */
  again = $state.raw<number[]>([]);
  /** Why the table was called off, once it was: every stake goes back. */
  cancelled = $state('');
  /** Every dealt hand that was opened and checked here, the last one last. */
  checked = $state.raw<Checked[]>([]);
  doubt = $state.raw<Doubt | null>(null);
  busy = $state(false);
  /** What was played for this seat while its player was not there. */
  missed = $state.raw<string[] | null>(null);
  stage: Stage | null = null;
  readonly chat = new Chat();

  private readonly socket: TableSocket;
  private readonly witnesses: Record<number, Witness>;
  private kept: Partial<KeptHand>;
  private batch: TableEvent[] = [];
  private noteTimer: ReturnType<typeof setTimeout> | undefined;

  /** watching: without a seat; what is public is all there is. */
  constructor(
    readonly id: string,
    readonly watching = false,
    private readonly watchCode = '',
  ) {
    prune('hand:', KEPT_TABLES);
    prune('deal:', KEPT_TABLES);
    this.witnesses = load<Record<number, Witness>>(`deal:${id}`, {});
    this.kept = load<KeptHand | Record<string, never>>(`hand:${id}`, {});
    this.order = this.kept.order ?? hands.EMPTY_ORDER;
    this.socket = new TableSocket({
      address: () => this.address(),
      version: () => (this.state && this.state.phase !== 'waiting' ? this.state.v : null),
      frame: (frame) => this.receive(frame),
      status: (status) => this.connected(status),
    });
  }

  get myTurn(): boolean {
    return this.state !== null && table.isMyTurn(this.state);
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
    return this.state !== null && table.isMyGrouping(this.state);
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
    return this.witness(handNo).commit || this.state?.table.commit || '';
  }
  /** The worst of what the checks of the deals found; null while none is open yet. */
  get verdict(): Verdict | null {
    const order: Verdict['state'][] = ['failed', 'unavailable', 'partial', 'verified'];
    const verdicts = this.checked.map((c) => c.verdict);
    return verdicts.sort((a, b) => order.indexOf(a.state) - order.indexOf(b.state))[0] ?? null;
  }
  /** The card that would go to the finish slot: the chosen one, or the only one in no group. */
  get finish(): Card | null {
    if (this.selected.length === 1) return this.selected[0] ?? null;
    return this.selected.length === 0 && this.order.loose.length === 1 ? (this.order.loose[0] ?? null) : null;
  }
  /** The hand as it is grouped, `finish` laid aside while one is to be thrown. */
  judged(finish: Card | null = this.playing ? this.finish : null): Judged {
    const { groups, loose } = hands.without(this.order, finish === null ? [] : [finish]);
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
  get proposals(): MeldProposal[] {
    return proposeMelds(this.rules, this.selected, this.opening);
  }
  get live(): boolean {
    return this.connection === 'open' && !this.busy;
  }

  start(): void {
    this.socket.start();
  }

  stop(): void {
    clearTimeout(this.noteTimer);
    this.socket.stop();
  }

  /** The player wants this table here, and now. */
  reconnect(): void {
    this.socket.resume();
  }

  private async address(): Promise<SocketAddress> {
    const kept = tickets.get(this.id);
    tickets.delete(this.id);
    try {
      const params = { path: { table: this.id }, header: idempotencyKey() };
      if (this.watching) {
        const body = this.watchCode ? { code: this.watchCode } : {};
        const ticket = await need(api.POST('/v1/tables/{table}/watch', { params, body }));
        this.delayMs = ticket.delay_ms;
        return ticket;
      }
      const seat = kept ?? (await need(api.POST('/v1/tables/{table}/tickets', { params })));
      this.code = seat.code ?? this.code;
      return seat;
    } catch (error) {
      const { status, code } = error as ApiError;
      this.refusedCode = code;
      const fatal = [401, 403, 404].includes(status) || code === 'table_over' || code === 'has_seat';
      throw Object.assign(new Error(code), { fatal });
    }
  }

  private connected(status: Connection): void {
    this.connection = status;
    if (this.watching) return;
    if (status === 'open') void this.loadChat();
    if (status === 'open' && (this.state === null || this.state.phase === 'waiting')) void this.sendSeed(1);
  }

  private async loadChat(): Promise<void> {
    const params = { path: { table: this.id } };
    const page = await need(api.GET('/v1/tables/{table}/chat', { params })).catch(() => null);
    if (page) this.chat.before(page.items);
  }

  /** This browser's own share of the randomness of a hand; the same one after a reconnection. */
  private async sendSeed(handNo: number): Promise<void> {
    const seed = this.witness(handNo).seed || randomId(32);
    const reply = await this.socket.send({ t: 'seed', d: { seed } }, undefined);
    if (reply.ok) this.keepWitness(handNo, { seed });
  }

  private witness(handNo: number): Witness {
    return this.witnesses[handNo] ?? NO_WITNESS;
  }

  private keepWitness(handNo: number, change: Partial<Witness>): void {
    this.witnesses[handNo] = { ...this.witness(handNo), ...change };
    save(`deal:${this.id}`, this.witnesses);
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
        if (!this.witness(1).commit) this.keepWitness(1, { commit: frame.d.commit });
        break;
      case 'next_hand':
        this.nextHand(frame.d);
        break;
      case 'chat':
      case 'emote':
        this.chat.heard(frame.d, this.state?.me ?? null);
        break;
      case 'played_for_you':
        this.missed = accountLines(frame.d);
        break;
      case 'watchers':
        this.chat.watchers = frame.d.n;
        break;
      case 'rematch':
        this.again = frame.d.seats;
        break;
      case 'cancelled':
        this.cancelled = frame.d.reason;
        break;
      case 'settled':
        this.settled = frame.d.seats;
        this.gameId = frame.d.game_id;
        break;
      case 'fairness':
        void this.check(frame.d);
        break;
      default:
        break;
    }
  }

  private waiting(frame: { commit: string; seats: WireSeat[]; bots_n?: number }): void {
    this.botsComing = frame.bots_n ?? 0;
    const player = session.me?.id ?? null;
    this.state = this.state
      ? table.withSeats(this.state, frame.seats)
      : table.fromWaiting(this.id, frame.commit, frame.seats, player);
  }

  /** The seal of the coming hand is known: only now this browser sends its seed for it. */
  private nextHand(wire: WireNext): void {
    if (!this.state) return;
    const startsAt = wire.starts_in_ms === null ? null : Date.now() + wire.starts_in_ms;
    const { hand_no: handNo, commit, ready } = wire;
    this.state = table.withNext(this.state, { handNo, commit, startsAt, ready });
    if (!this.witness(handNo).commit) this.keepWitness(handNo, { commit });
    if (!this.witness(handNo).seed && !this.watching) void this.sendSeed(handNo);
  }

  private snapshot(state: table.TableState): void {
    const fresh = table.isFreshDeal(state) && this.state?.phase === 'waiting';
    if (fresh) this.stage?.before();
    this.state = { ...state, history: this.state?.history ?? state.history };
    const { handNo, phase, me } = state;
    if (!this.witness(1).commit && phase === 'waiting') this.keepWitness(1, { commit: state.table.commit });
    this.keepWitness(Math.max(1, handNo), { seat: me });
    const order = this.kept.handNo === handNo ? this.order : hands.EMPTY_ORDER;
    this.arrange(this.arranged(hands.reconcile(order, state.hand), state));
    this.clean();
    if (table.isFreshDeal(state)) this.keepWitness(handNo, { dealt: state.hand });
    if (fresh) void this.showDeal(state);
  }

  /** Groups that the server has and this browser does not, after a change of the device. */
  private arranged(order: hands.HandOrder, state: table.TableState): hands.HandOrder {
    if (order.groups.length > 0 || state.grouping.length === 0) return order;
    return state.grouping.reduce((o, cards) => hands.group(o, cards), order);
  }

  /** A snapshot that shows the hand just dealt: sorted, and the cards fly as they do for the event. */
  private async showDeal(state: table.TableState): Promise<void> {
    this.sort('suit');
    this.said = `You were dealt ${state.hand.length} cards.`;
    await tick();
    const cards = hands.allCards(this.order);
    this.stage?.after([{ v: state.v, t: 'dealt', seat: state.me, d: { cards } }]);
  }

  private setClock(clock: WireClock): void {
    this.clock = { ...clock, at: performance.now() };
  }

  private event(event: TableEvent): void {
    if (!this.state) return;
    if (this.batch.length === 0) this.stage?.before();
    const { state, what } = applyEvent(this.state, event);
    if (what === 'gap') this.socket.resume();
    if (what !== 'applied') return;
    this.state = state;
    this.seen(event, state);
    this.batch.push(event);
    if (this.batch.length === 1) queueMicrotask(() => void this.flush());
    this.arrange(this.arrived(event, state));
    this.clean();
    this.write(event, state);
  }

  /** What this browser can bear witness to when the deal is opened. */
  private seen(event: TableEvent, state: table.TableState): void {
    if (event.t === 'dealt' && state.dealt.length > 0 && event.seat === state.me)
      this.keepWitness(state.handNo, { dealt: state.dealt, seat: state.me });
    if (event.t === 'turn' && this.witness(state.handNo).starter === undefined) {
      const out = state.seats.filter((s) => s.satOut).map((s) => s.seat);
      this.keepWitness(state.handNo, { starter: state.starter, out });
    }
  }

  /** A freshly dealt hand is sorted; later cards come where the player can see them: at the end. */
  private arrived(event: TableEvent, state: table.TableState): hands.HandOrder {
    const dealt = event.t === 'dealt' && event.seat === state.me;
    const order = hands.reconcile(dealt ? hands.EMPTY_ORDER : this.order, state.hand);
    return dealt ? hands.sortLoose(order, 'suit') : order;
  }

  private async flush(): Promise<void> {
    const events = this.batch;
    await tick();
    this.batch = [];
    if (events.length <= FLIGHT_EVENTS_MAX) this.stage?.after(events);
  }

  private write(event: TableEvent, state: table.TableState): void {
    const text = describe(event, state);
    if (event.t === 'turn') this.hints = null;
    if (event.t === 'hand_ended') this.doubt = null;
    if (!text) return;
    this.log = [...this.log, { v: event.v, seat: event.seat ?? null, text }].slice(-LOG_MAX);
    this.said = text;
  }

  private async check(fairness: Fairness): Promise<void> {
    const handNo = fairness.hand_no;
    const seen = this.witness(handNo);
    const witness = { ...seen, seat: this.state?.me ?? seen.seat };
    const starter = handNo === 1 ? null : (seen.starter ?? this.state?.starter ?? null);
    const verdict = await verify(fairness, witness, { rules: this.rules, starter, out: seen.out ?? [] });
    const others = this.checked.filter((c) => c.handNo !== handNo);
    this.checked = [...others, { handNo, fairness, verdict }].sort((a, b) => a.handNo - b.handNo);
  }

  /* ---- The hand --------------------------------------------------------------------------------- */

  arrange(order: hands.HandOrder): void {
    this.order = order;
    this.kept = { handNo: this.state?.handNo ?? 0, order };
    save(`hand:${this.id}`, this.kept);
  }

  private clean(): void {
    const held = this.state?.hand ?? [];
    const kept = this.selected.filter((c) => held.includes(c));
    if (kept.length !== this.selected.length) this.selected = kept;
  }

  toggle(card: Card): void {
    this.choice = null;
    this.selected = this.selected.includes(card)
      ? this.selected.filter((c) => c !== card)
      : [...this.selected, card];
  }

  select(cards: readonly Card[]): void {
    this.choice = null;
    this.selected = cards;
  }

  groupSelected(): void {
    if (this.selected.length === 0) return;
    this.arrange(hands.group(this.order, this.selected));
    this.selected = [];
  }

  sort(by: 'suit' | 'rank'): void {
    this.arrange(hands.sortLoose(this.order, by));
  }

  /* ---- Moves -------------------------------------------------------------------------------------- */

  private async command(command: Command): Promise<boolean> {
    if (this.connection !== 'open') {
      this.say('Not connected: wait a moment.', 'info');
      return false;
    }
    this.note = null;
    this.choice = null;
    this.busy = true;
    let reply: Reply;
    try {
      const talk = command.t === 'chat' || command.t === 'emote';
      reply = await this.socket.send(command, talk ? undefined : this.state?.v);
    } finally {
      this.busy = false;
    }
    if (!reply.ok) this.refused(reply.nack);
    else if (command.t !== 'legal') this.hints = null;
    return reply.ok;
  }

  private refused(nack: Nack): void {
    if (nack.code !== 'lost') this.say(nack.text || 'That is not possible.', 'refused', nack.cards ?? []);
  }

  say(text: string, tone: Note['tone'], cards: Card[] = []): void {
    clearTimeout(this.noteTimer);
    this.note = { text, tone, cards };
    this.noteTimer = setTimeout(() => {
      this.note = null;
    }, NOTE_MS);
  }

  draw(from: 'stock' | 'discard'): Promise<boolean> {
    return this.command({ t: 'draw', d: { from } });
  }

  cancelDraw(): Promise<boolean> {
    return this.command({ t: 'cancel_draw', d: {} });
  }

  takeBack(meld?: number): Promise<boolean> {
    return this.command({ t: 'take_back', d: meld === undefined ? {} : { meld } });
  }

  comeBack(): Promise<boolean> {
    return this.command({ t: 'return', d: {} });
  }

  leave(): Promise<boolean> {
    return this.command({ t: 'leave', d: {} });
  }

  speak(text: string): Promise<boolean> {
    return this.command({ t: 'chat', d: { text } });
  }

  emote(name: Emote): Promise<boolean> {
    return this.command({ t: 'emote', d: { name } });
  }

  flip(): Promise<boolean> {
    return this.command({ t: 'flip', d: {} });
  }

  /** Puts a joker swapped in this turn back where it came from. */
  undoSwap(meld: number): Promise<boolean> {
    return this.takeBack(meld);
  }

  ready(): Promise<boolean> {
    return this.command({ t: 'ready', d: {} });
  }

  rejoin(): Promise<boolean> {
    return this.command({ t: 'rejoin', d: {} });
  }

  drop(): Promise<boolean> {
    return this.command({ t: 'drop', d: {} });
  }

  /** The groups as the server takes them: what is too small or too much counts as in none. */
  private sentGroups(finish: Card | null): Card[][] {
    const { groups } = hands.without(this.order, finish === null ? [] : [finish]);
    return groups.filter((g) => g.length >= GROUP_MIN).slice(0, GROUPS_MAX);
  }

  /** Declares what is valid at once; anything else only when the player insists, for it costs much. */
  declare(finish: Card | null = this.finish, sure = false): void {
    if (finish === null) {
      this.say('Choose the one card for the finish slot.', 'info');
      return;
    }
    const { valid, complete, reason } = this.judged(finish);
    if (!complete) {
      this.say(`${reason}: group all thirteen before you declare.`, 'info');
      return;
    }
    if (!valid && !sure) {
      this.doubt = { finish, reason };
      return;
    }
    this.doubt = null;
    void this.command({ t: 'declare', d: { groups: this.sentGroups(finish), finish } });
  }

  /** The own grouping, for good. */
  saveGroups(): Promise<boolean> {
    return this.command({ t: 'group', d: { groups: this.sentGroups(null), done: true } });
  }

  /** The engine's own best grouping of the hand. */
  async arrangeBest(): Promise<void> {
    if (this.busy) return;
    this.busy = true;
    const reply = await this.socket.send({ t: 'legal', d: { hints: true } }, this.state?.v);
    this.busy = false;
    if (!reply.ok || reply.frame.t !== 'legal') {
      if (!reply.ok) this.refused(reply.nack);
      return;
    }
    const found = reply.frame.d.moves.find((m) => m.t === 'declare' || m.t === 'group');
    const { groups = [] } = (found?.d ?? {}) as { groups?: Card[][] };
    if (groups.length === 0) {
      this.say('No group can be made of these cards.', 'info');
      return;
    }
    const loose = hands.sortLoose({ groups: [], loose: [...(this.state?.hand ?? [])] }, 'suit');
    this.selected = [];
    this.arrange(groups.reduce((order, cards) => hands.group(order, cards), loose));
  }

  /** One valid order: laid at once. Several: the player chooses. None: the server says why not. */
  lay(cards: readonly Card[]): void {
    const options = proposeMelds(this.rules, cards, this.opening);
    if (options.length <= 1) {
      void this.layCards(options[0]?.cards ?? [...cards]);
      return;
    }
    this.choice = {
      title: 'Which meld?',
      options: options.map((o) => ({
        label: `${o.kind === 'set' ? 'Set' : 'Run'}, ${o.worth}`,
        cards: o.cards,
        run: () => void this.layCards(o.cards),
      })),
    };
  }

  private async layCards(cards: Card[]): Promise<void> {
    if (await this.command({ t: 'meld', d: { cards } })) this.selected = [];
  }

  discard(cards: readonly Card[]): void {
    const n = this.state?.hand.length ?? 0;
    const kind = discardKind(this.rules, cards, n);
    const ordered = kind === null ? [...cards] : discardOrder(cards);
    void this.command({ t: 'discard', d: { cards: ordered } });
  }

  /** Cards brought to a meld: swapped or laid off, one after the other while they fit. */
  async bring(cards: readonly Card[], meldId: number): Promise<void> {
    let left = [...cards];
    while (left.length > 0) {
      const meld = this.state?.melds.find((m) => m.id === meldId);
      if (!meld) return;
      const card = left.find((c) => this.fits(c, meld)) ?? left[0];
      if (card === undefined || !(await this.bringOne(card, meld))) return;
      left = left.filter((c) => c !== card);
    }
  }

  /** Would the card be taken by this meld, beside it or for its joker? */
  fits(card: Card, meld: table.Meld): boolean {
    return layOffEnds(this.rules, card, meld).length + swappable(this.rules, card, meld).length > 0;
  }

  private async bringOne(card: Card, meld: table.Meld): Promise<boolean> {
    const layOff = (end?: End): Command => ({
      t: 'lay_off',
      d: end ? { card, meld: meld.id, end } : { card, meld: meld.id },
    });
    const swap = (joker: Card): Command => ({ t: 'swap', d: { card, meld: meld.id, joker } });
    const ends = layOffEnds(this.rules, card, meld);
    const jokers = swappable(this.rules, card, meld).slice(0, 1);
    const ways: { label: string; command: Command }[] = [
      ...jokers.map((j) => ({ label: 'Swap for the joker', command: swap(j) })),
      ...ends.map((end) => ({
        label: end === null ? 'Complete the set' : end === 'low' ? 'At the low end' : 'At the high end',
        command: layOff(end ?? undefined),
      })),
    ];
    const only = ways[0];
    if (ways.length <= 1) return this.command(only?.command ?? layOff());
    this.choice = {
      title: isJoker(card) ? 'Where does the joker go?' : 'What with this card?',
      options: ways.map((w) => ({ label: w.label, cards: [card], run: () => void this.command(w.command) })),
    };
    return false;
  }

  /** Not while a move is on its way: its end would take the hints away again. */
  async askHints(): Promise<void> {
    if (this.busy) return;
    this.note = null;
    const reply = await this.socket.send({ t: 'legal', d: { hints: true } }, this.state?.v);
    if (!reply.ok) this.refused(reply.nack);
    else if (reply.frame.t === 'legal') this.hints = reply.frame.d.moves.filter((m) => HINTED.has(m.t));
  }

  play(move: LegalMove): Promise<boolean> {
    return this.command({ t: move.t, d: move.d } as Command);
  }

  nick(seat: number | null): string {
    return this.state ? nickOf(this.state, seat) : '';
  }
}
