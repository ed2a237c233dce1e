/* The table as this player sees it: a pure reducer of snapshots and events. The server is the only
 * judge of the rules; here is nothing but book-keeping, so that two clients with the same events
 * hold the same state as a client that read a snapshot. */
import { isJoker, suitOf, valueOfRank, rankOf, PLACE_ACE_HIGH, type Card, type Suit } from './cards';
import type {
  EventData,
  MeldKind,
  Phase,
  Snapshot,
  SnapshotSeat,
  TableEvent,
  WireMeld,
  WireScore,
  WireSeat,
  WireTable,
} from './protocol';

/** Two packs and four jokers: Rummy 51. */
const PACK_CARDS = 108;
export const OPENING_MIN = 51;

export interface SeatState {
  seat: number;
  playerId: string | null;
  nick: string;
  avatar: string;
  bot: boolean;
  on: boolean;
  away: boolean;
  left: boolean;
  opened: boolean;
  cardsN: number;
  round: number;
  points: number | null;
}
export interface Meld {
  id: number;
  kind: MeldKind;
  owner: number;
  /** Place of a run's first card, 0 (ace low) … 13 (ace high); the rank of a set. */
  low: number;
  suit: Suit | null;
  staged: boolean;
  cards: Card[];
}
export interface TurnState {
  drew: boolean;
  drawn: Card | null;
  mayCancel: boolean;
  mustOpen: boolean;
  stockOnly: boolean;
  /** The seat has opened in this turn. */
  openingTurn: boolean;
  stagedSum: number;
  openingMin: number;
  freedJokers: number;
}
export interface HandResult {
  winner: number | null;
  ending: 'out' | 'no_cards' | 'stalled' | null;
  rummy: boolean;
  scores: WireScore[];
}
export interface TableState {
  v: number;
  table: WireTable;
  me: number | null;
  phase: Phase;
  toMove: number | null;
  starter: number | null;
  seats: SeatState[];
  hand: Card[];
  stockN: number;
  discard: Card[];
  melds: Meld[];
  turn: TurnState;
  result: HandResult | null;
  /** The hand as it was dealt to this seat, for the check of the deal; empty when it was not seen. */
  dealt: Card[];
}

function freshTurn(): TurnState {
  return {
    drew: false,
    drawn: null,
    mayCancel: false,
    mustOpen: false,
    stockOnly: false,
    openingTurn: false,
    stagedSum: 0,
    openingMin: OPENING_MIN,
    freedJokers: 0,
  };
}

function seatOf(wire: WireSeat | SnapshotSeat, old?: SeatState): SeatState {
  const base: SeatState = old ?? {
    seat: wire.seat,
    playerId: null,
    nick: '',
    avatar: '',
    bot: false,
    on: false,
    away: false,
    left: false,
    opened: false,
    cardsN: 0,
    round: 1,
    points: null,
  };
  const seat: SeatState = {
    ...base,
    playerId: wire.player_id,
    nick: wire.nick,
    avatar: wire.avatar === null ? '' : String(wire.avatar),
    bot: wire.bot,
    on: wire.on,
  };
  if (!('cards_n' in wire)) return seat;
  const { away, left, opened, cards_n: cardsN, round, points } = wire;
  return { ...seat, away, left, opened, cardsN, round, points };
}

function resultOf(wire: Snapshot['result']): HandResult | null {
  if (!wire) return null;
  const scores = Array.isArray(wire) ? wire : (wire.scored ?? []);
  if (scores.length === 0) return null;
  const won = scores.find((s) => s.won);
  return { winner: won?.seat ?? null, ending: null, rummy: won?.rummy ?? false, scores };
}

function turnOf(wire: Snapshot['turn']): TurnState {
  if (!wire) return freshTurn();
  return {
    drew: wire.drew,
    drawn: wire.drawn,
    mayCancel: wire.may_cancel,
    mustOpen: wire.must_open,
    stockOnly: wire.stock_only,
    openingTurn: wire.opening_turn,
    stagedSum: wire.staged_sum,
    openingMin: wire.opening_min,
    freedJokers: wire.freed_jokers,
  };
}

/** A waiting table's snapshot has seats only: nothing is dealt yet. */
export function fromSnapshot(v: number, d: Snapshot): TableState {
  return {
    v,
    table: d.table,
    me: d.me,
    phase: d.phase,
    toMove: d.to_move ?? null,
    starter: d.starter ?? null,
    seats: d.seats.map((s) => seatOf(s)),
    hand: d.hand ?? [],
    stockN: d.stock_n ?? 0,
    discard: d.discard ?? [],
    melds: (d.melds ?? []).map((m: WireMeld): Meld => ({ ...m, suit: m.suit ?? null })),
    turn: turnOf(d.turn),
    result: resultOf(d.result),
    dealt: [],
  };
}

/** The table before its first snapshot: seats only. `player` is the viewer. */
export function fromWaiting(
  table: string,
  commit: string,
  wire: WireSeat[],
  player: string | null,
): TableState {
  const seat = wire.find((s) => player !== null && s.player_id === player);
  return fromSnapshot(0, {
    table: { id: table, variant: '', room: null, hand_no: 1, commit, stake: 0, reward: 0, multiplier: '' },
    me: seat?.seat ?? null,
    phase: 'waiting',
    seats: wire,
  });
}

/** Whether the snapshot shows the hands as they were dealt: one event a seat, the first turn, nothing else. */
export function isFreshDeal(state: TableState): boolean {
  const playing = state.phase === 'draw' || state.phase === 'play';
  return playing && state.v <= state.seats.length + 1;
}

/** Who sits where, from a `waiting` frame. */
export function withSeats(state: TableState, wire: WireSeat[]): TableState {
  const seats = wire.map((w) =>
    seatOf(
      w,
      state.seats.find((s) => s.seat === w.seat),
    ),
  );
  return { ...state, seats };
}

export function withPresence(state: TableState, seat: number, on: boolean): TableState {
  return changeSeat(state, seat, (s) => ({ ...s, on }));
}

function changeSeat(state: TableState, seat: number | null, change: (s: SeatState) => SeatState): TableState {
  return { ...state, seats: state.seats.map((s) => (s.seat === seat ? change(s) : s)) };
}

/** Cards come into a seat's hand; only the own ones are known by name. */
function give(state: TableState, seat: number | null, cards: readonly Card[], n = cards.length): TableState {
  const next = changeSeat(state, seat, (s) => ({ ...s, cardsN: s.cardsN + n }));
  return seat === state.me ? { ...next, hand: [...next.hand, ...cards] } : next;
}

function take(state: TableState, seat: number | null, cards: readonly Card[]): TableState {
  const next = changeSeat(state, seat, (s) => ({ ...s, cardsN: s.cardsN - cards.length }));
  return seat === state.me ? { ...next, hand: next.hand.filter((c) => !cards.includes(c)) } : next;
}

function changeMeld(state: TableState, id: number, change: (m: Meld) => Meld): TableState {
  return { ...state, melds: state.melds.map((m) => (m.id === id ? change(m) : m)) };
}

function changeTurn(state: TableState, turn: Partial<TurnState>): TableState {
  return { ...state, turn: { ...state.turn, ...turn } };
}

function replaceCard(cards: readonly Card[], out: Card, into: Card): Card[] {
  return cards.map((c) => (c === out ? into : c));
}

/** What the laid cards of a meld count: a joker as the card it stands for. */
export function meldWorth(meld: Pick<Meld, 'kind' | 'low' | 'cards'>): number {
  if (meld.kind === 'set') return meld.cards.length * valueOfRank(meld.low);
  return meld.cards.reduce((sum, _, i) => sum + valueOfRank((meld.low + i) % PLACE_ACE_HIGH), 0);
}

type Handler<T extends keyof EventData> = (
  state: TableState,
  seat: number | null,
  d: EventData[T],
) => TableState;

const handlers: { [T in keyof EventData]: Handler<T> } = {
  dealt(state, seat, d) {
    const first = state.phase !== 'draw' && state.phase !== 'play';
    const clean =
      first && state.seats.every((s) => s.cardsN === 0) ? { ...state, stockN: PACK_CARDS } : state;
    const n = d.cards?.length ?? d.n ?? 0;
    const next = give(clean, seat, d.cards ?? [], n);
    const mine = seat === state.me && d.cards ? { dealt: d.cards } : {};
    return { ...next, stockN: next.stockN - n, ...mine };
  },
  turn(state, seat, d) {
    const starter = state.phase === 'waiting' ? seat : state.starter;
    const next = changeSeat(state, seat, (s) => ({ ...s, round: d.round }));
    return { ...next, phase: d.phase, toMove: seat, starter, turn: freshTurn() };
  },
  drew(state, seat, d) {
    const next = give(state, seat, d.card ? [d.card] : [], 1);
    const piles = d.from === 'stock' ? { stockN: state.stockN - 1 } : { discard: state.discard.slice(0, -1) };
    const mustOpen = d.must_open ?? false;
    const drawn = d.card ?? null;
    return changeTurn(
      { ...next, ...piles, phase: 'play' },
      { drew: true, drawn, mustOpen, mayCancel: mustOpen },
    );
  },
  draw_cancelled(state, seat, d) {
    const next = take(state, seat, [d.card]);
    const turn = { drew: false, drawn: null, mustOpen: false, mayCancel: false, stockOnly: true };
    return changeTurn({ ...next, discard: [...state.discard, d.card], phase: 'draw' }, turn);
  },
  melded(state, seat, d) {
    const next = take(state, seat, d.cards);
    const natural = d.cards.find((c) => !isJoker(c));
    const suit = d.kind === 'run' && natural ? suitOf(natural) : null;
    const { meld: id, kind, low, staged, cards } = d;
    const melds = [...next.melds, { id, kind, owner: seat ?? 0, low, suit, staged, cards }];
    return changeTurn({ ...next, melds }, { stagedSum: state.turn.stagedSum + (staged ? d.worth : 0) });
  },
  taken_back(state, seat, d) {
    const next = give(state, seat, d.cards);
    const melds = next.melds.filter((m) => m.id !== d.meld);
    return changeTurn({ ...next, melds }, { stagedSum: stagedSum(melds) });
  },
  opened(state, seat) {
    const next = changeSeat(state, seat, (s) => ({ ...s, opened: true }));
    const melds = next.melds.map((m) => (m.owner === seat ? { ...m, staged: false } : m));
    return changeTurn(
      { ...next, melds },
      { openingTurn: true, mustOpen: false, mayCancel: false, stagedSum: 0 },
    );
  },
  laid_off(state, seat, d) {
    return changeMeld(take(state, seat, [d.card]), d.meld, (m) =>
      d.end === 'low'
        ? { ...m, low: m.low - 1, cards: [d.card, ...m.cards] }
        : { ...m, cards: [...m.cards, d.card] },
    );
  },
  swapped(state, seat, d) {
    const next = give(take(state, seat, [d.card]), seat, [d.joker]);
    const laid = changeMeld(next, d.meld, (m) => ({ ...m, cards: replaceCard(m.cards, d.joker, d.card) }));
    return changeTurn(laid, { freedJokers: state.turn.freedJokers + 1 });
  },
  swap_undone(state, seat, d) {
    const next = give(take(state, seat, [d.joker]), seat, [d.card]);
    const laid = changeMeld(next, d.meld, (m) => ({ ...m, cards: replaceCard(m.cards, d.card, d.joker) }));
    return changeTurn(laid, { freedJokers: Math.max(0, state.turn.freedJokers - 1) });
  },
  discarded(state, seat, d) {
    const next = take(state, seat, d.cards);
    return { ...next, discard: [...next.discard, ...d.cards] };
  },
  reshuffled(state, _seat, d) {
    return { ...state, stockN: d.stock_n, discard: state.discard.slice(-1) };
  },
  flipped(state, _seat, d) {
    return { ...state, stockN: d.stock_n, discard: [d.card] };
  },
  timed_out: (state) => state,
  away: (state, seat) => changeSeat(state, seat, (s) => ({ ...s, away: true })),
  returned: (state, seat) => changeSeat(state, seat, (s) => ({ ...s, away: false })),
  left: (state, seat) => changeSeat(state, seat, (s) => ({ ...s, left: true, away: true })),
  hand_ended(state, _seat, d) {
    const result = { winner: d.winner, ending: d.ending, rummy: d.rummy, scores: [] };
    return { ...state, phase: 'hand_over', toMove: null, result };
  },
  scored(state, seat, d) {
    const old = state.result ?? { winner: null, ending: null, rummy: false, scores: [] };
    const next = changeSeat(state, seat, (s) => ({ ...s, points: d.points }));
    return { ...next, result: { ...old, scores: [...old.scores, { seat: seat ?? 0, ...d }] } };
  },
  session_ended: (state) => ({ ...state, phase: 'over' }),
};

function stagedSum(melds: readonly Meld[]): number {
  return melds.reduce((sum, m) => sum + (m.staged ? meldWorth(m) : 0), 0);
}

export type Applied = { state: TableState; what: 'applied' | 'old' | 'gap' };

/** v ≤ mine is known already, mine + 1 applies, anything larger means that events are missing. */
export function applyEvent(state: TableState, event: TableEvent): Applied {
  if (event.v <= state.v) return { state, what: 'old' };
  if (event.v > state.v + 1) return { state, what: 'gap' };
  const handler = handlers[event.t] as Handler<typeof event.t> | undefined;
  const next = handler ? handler(state, event.seat ?? null, event.d) : state;
  return { state: { ...next, v: event.v }, what: 'applied' };
}

export function mySeat(state: TableState): SeatState | undefined {
  return state.seats.find((s) => s.seat === state.me);
}

export function isMyTurn(state: TableState): boolean {
  return state.me !== null && state.toMove === state.me && (state.phase === 'draw' || state.phase === 'play');
}

/** Seats clockwise from the player's left; everybody for a spectator. */
export function others(state: TableState): SeatState[] {
  const n = state.seats.length;
  const me = state.me ?? -1;
  const first = state.me === null ? 0 : 1;
  const order = Array.from({ length: n - first }, (_, i) => (me + 1 + i) % n);
  return order.flatMap((i) => state.seats.find((s) => s.seat === i) ?? []);
}

/** Points of the cards still held; a rank of its own for jokers. */
export function handPoints(hand: readonly Card[]): number {
  return hand.reduce((sum, c) => sum + (isJoker(c) ? 20 : valueOfRank(rankOf(c))), 0);
}
