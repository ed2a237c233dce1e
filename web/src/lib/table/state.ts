/* The table as this player sees it: its state, and how a snapshot fills it. apply.ts contains the effects
 * of events. Only the server judges the rules. This is bookkeeping: a client that received all events has
 * the same state as one that read a snapshot. */
import type { Card, Suit } from '$lib/cards/cards';
import type { Wild } from '$lib/rules/groups';
import type {
  Ending,
  MeldKind,
  Phase,
  Snapshot,
  SnapshotSeat,
  WireMeld,
  WireScore,
  WireSeat,
  WireTable,
  WireWaiting,
} from '@rummyd/client';
import { rulesOf, type Rules } from '$lib/rules/rules';

export interface SeatState {
  seat: number;
  playerId: string | null;
  nick: string;
  avatar: string;
  bot: boolean;
  /** Strength of the bot. */
  level?: WireSeat['level'];
  /** A bot account, played by someone's program. */
  program?: boolean | undefined;
  on: boolean;
  away: boolean;
  left: boolean;
  opened: boolean;
  cardsN: number;
  round: number;
  /** Total of the session. */
  points: number | null;
  /** The part of the total that was won, if wins and hands are separate. */
  bonus: number;
  /** Out of this hand, by a drop or an invalid declaration. */
  dropped: boolean;
  wrong: boolean;
  /** Out of the session. */
  eliminated: boolean;
  /** Did not take part in this hand from its start. */
  satOut: boolean;
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
  /** Whether the seat has opened in this turn. */
  openingTurn: boolean;
  stagedSum: number;
  openingMin: number;
  freedJokers: number;
  /** Jokers swapped out of melds in this turn and still held. */
  freed: Freed[];
}
export interface Freed {
  joker: Card;
  meld: number;
}
export interface HandResult {
  winner: number | null;
  ending: Ending | null;
  rummy: boolean;
  scores: WireScore[];
}
export interface Declared {
  seat: number;
  valid: boolean;
  groups: Card[][];
  rest: Card[];
  finish: Card | null;
}
/** Between two hands. */
export interface NextHand {
  handNo: number;
  commit: string;
  /** When the hand will be dealt, in milliseconds of Date.now(); null: not known. */
  startsAt: number | null;
  ready: number[];
}
export interface SessionEnd {
  winners: number[];
  totals: number[];
}
export interface TableState {
  v: number;
  table: WireTable;
  rules: Rules;
  me: number | null;
  phase: Phase;
  handNo: number;
  toMove: number | null;
  starter: number | null;
  seats: SeatState[];
  hand: Card[];
  stockN: number;
  discard: Card[];
  melds: Meld[];
  turn: TurnState;
  result: HandResult | null;
  /** The hand as dealt to this seat, for the check of the deal; empty if this page did not see it. */
  dealt: Card[];
  /** Card turned up; its rank (or only this card) is wild. */
  wildCard: Card | null;
  declared: Declared | null;
  /** Seats whose final grouping is pending. */
  toGroup: number[];
  /** The player's grouping as stored on the server. */
  grouping: Card[][];
  dropPoints: number;
  /** How often the discard pile became the stock in this hand. */
  flips: number;
  /** Whether the top discard may be taken. */
  mayTake: boolean;
  next: NextHand | null;
  session: SessionEnd | null;
  /** Points of the hands that this page saw, by seat; null: did not take part. */
  history: { handNo: number; points: (number | null)[] }[];
  /** Whether the viewer is not `me`, so that every player is called by their name. */
  onlooker?: boolean;
}

export function freshTurn(openingMin: number): TurnState {
  return {
    drew: false,
    drawn: null,
    mayCancel: false,
    mustOpen: false,
    stockOnly: false,
    openingTurn: false,
    stagedSum: 0,
    openingMin,
    freedJokers: 0,
    freed: [],
  };
}

const NOBODY: SeatState = {
  seat: 0,
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
  bonus: 0,
  dropped: false,
  wrong: false,
  eliminated: false,
  satOut: false,
};

function seatOf(wire: WireSeat | SnapshotSeat, old: SeatState = NOBODY): SeatState {
  const seat: SeatState = {
    ...old,
    seat: wire.seat,
    playerId: wire.player_id,
    nick: wire.nick,
    avatar: wire.avatar,
    bot: wire.bot,
    level: wire.level,
    program: wire.program,
    on: wire.on,
  };
  if (!('cards_n' in wire)) return seat;
  const { away, left, opened, cards_n: cardsN, round, points } = wire;
  return {
    ...seat,
    away,
    left,
    opened,
    cardsN,
    round,
    points,
  };
}

/** Data about a seat in a snapshot, in addition to its row. */
function marked(seat: SeatState, d: Snapshot): SeatState {
  const named = (seats: number[] | undefined) => seats?.includes(seat.seat) ?? false;
  return {
    ...seat,
    bonus: d.bonus?.[seat.seat] ?? 0,
    dropped: named(d.dropped),
    wrong: named(d.wrong),
    eliminated: named(d.eliminated),
    satOut: named(d.sat_out),
  };
}

function declaredOf(d: Snapshot): Declared | null {
  if (d.declarer === undefined || d.declarer === null) return null;
  const finish = d.discard?.at(-1) ?? null;
  return { seat: d.declarer, valid: true, groups: [], rest: [], finish };
}

function sessionOf(d: Snapshot): SessionEnd | null {
  if (d.phase !== 'over' || !d.result) return null;
  const totals = d.seats.map((s) => ('points' in s ? (s.points ?? 0) : 0));
  return { winners: d.result.winners ?? [], totals };
}

function resultOf(wire: Snapshot['result']): HandResult | null {
  const scores = wire?.seats ?? [];
  if (!wire || scores.length === 0) return null;
  const won = scores.find((s) => s.won);
  return { winner: wire.winner, ending: wire.ending, rummy: won?.rummy ?? false, scores };
}

function turnOf(wire: Snapshot['turn'], openingMin: number): TurnState {
  if (!wire) return freshTurn(openingMin);
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
    freed: wire.freed ?? [],
  };
}

/** A waiting table's snapshot has only seats, because nothing has been dealt. */
export function fromSnapshot(v: number, d: Snapshot): TableState {
  const rules = rulesOf(d.table.variant || 'rummy51', d.params);
  return {
    v,
    table: d.table,
    rules,
    me: d.me,
    phase: d.phase,
    handNo: d.hand_no ?? d.table.hand_no,
    toMove: d.to_move ?? null,
    starter: d.starter ?? null,
    seats: d.seats.map((s) => marked(seatOf(s), d)),
    hand: d.hand ?? [],
    stockN: d.stock_n ?? 0,
    discard: d.discard ?? [],
    melds: (d.melds ?? []).map((m: WireMeld): Meld => ({ ...m, suit: m.suit ?? null })),
    turn: turnOf(d.turn, rules.opening_min),
    result: resultOf(d.result),
    dealt: [],
    wildCard: d.wild?.card ?? null,
    declared: declaredOf(d),
    toGroup: d.to_group ?? [],
    grouping: d.grouping?.groups ?? [],
    dropPoints: d.drop_points ?? 0,
    flips: d.turn?.flips ?? 0,
    mayTake: d.may_take ?? true,
    next: null,
    session: sessionOf(d),
    history: [],
  };
}

/** The table before its first snapshot, with only its seats. `player` is the viewer. */
export function fromWaiting(table: string, wire: WireWaiting, player: string | null): TableState {
  const { variant, room, commit, stake, reward, multiplier, seats, club } = wire;
  const seat = seats.find((s) => player !== null && s.player_id === player);
  return fromSnapshot(0, {
    table: { id: table, hand_no: 1, variant, room, commit, stake, reward, multiplier, ...(club && { club }) },
    me: seat?.seat ?? null,
    phase: 'waiting',
    seats,
  });
}

/** Number of events of a new deal, not counting one per seat: the first turn, and the face-up card. */
function dealEvents(rules: Rules): number {
  return 1 + rules.face_up_start + (rules.wild_scope > 0 ? 1 : 0);
}

/** Whether the snapshot shows the hands as dealt, with no event after the deal and the first turn. */
export function isFreshDeal(state: TableState): boolean {
  const playing = state.phase === 'draw' || state.phase === 'play';
  return playing && state.v <= state.seats.length + dealEvents(state.rules);
}

/** Updates seats and players from a `waiting` frame. */
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
  return { ...state, seats: state.seats.map((s) => (s.seat === seat ? { ...s, on } : s)) };
}

export function withNext(state: TableState, next: NextHand): TableState {
  return { ...state, next };
}

export function mySeat(state: TableState): SeatState | undefined {
  return state.seats.find((s) => s.seat === state.me);
}

export function isMyTurn(state: TableState): boolean {
  return state.me !== null && state.toMove === state.me && (state.phase === 'draw' || state.phase === 'play');
}

/** Some variants forbid melds in the first round of a seat. */
export function mayMeld(state: TableState): boolean {
  return state.rules.meld_in_round_1 === 1 || (mySeat(state)?.round ?? 1) > 1;
}

/** Whether a declaration was valid and the hand is waiting for the player's grouping. */
export function isMyGrouping(state: TableState): boolean {
  return state.phase === 'group' && state.me !== null && state.toGroup.includes(state.me);
}

export function wildOf(state: Pick<TableState, 'rules' | 'wildCard'>): Wild {
  const { wild_scope: scope, wild_natural_pure: pure } = state.rules;
  return { card: state.wildCard, exact: scope === 2, naturalPure: pure !== 0 };
}

/** Seats clockwise from the player's left; all of them for a spectator. */
export function others(state: TableState): SeatState[] {
  const n = state.seats.length;
  const me = state.me ?? -1;
  const first = state.me === null ? 0 : 1;
  const order = Array.from({ length: n - first }, (_, i) => (me + 1 + i) % n);
  return order.flatMap((i) => state.seats.find((s) => s.seat === i) ?? []);
}

/** Whether the player is out of the game while others keep playing, so that they can only decide whether to
 * rejoin. */
export function isOut(state: TableState): boolean {
  return mySeat(state)?.eliminated === true && state.phase !== 'over';
}

/** The player's total after rejoining the pool; null if they may not. */
export function rejoinTotal(state: TableState): number | null {
  const { rules, seats, phase } = state;
  if (phase !== 'hand_over' || !mySeat(state)?.eliminated || mySeat(state)?.left || seats.length < 3)
    return null;
  const highest = Math.max(...seats.filter((s) => !s.eliminated).map((s) => s.points ?? 0));
  return rules.rejoin_max > 0 && highest <= rules.rejoin_max ? highest + 1 : null;
}

/** Whether the session continues after this hand, so that totals matter. */
export function isLong(rules: Rules): boolean {
  return rules.session_hands > 1;
}
