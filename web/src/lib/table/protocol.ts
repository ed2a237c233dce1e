/* Frames of the socket protocol rummy.v1, as asyncapi.yaml has them. Types only. */
import type { Card, Suit } from './cards';

export type MeldKind = 'set' | 'run';
export type End = 'low' | 'high';
export const EMOTES = [
  'hello',
  'thanks',
  'good_luck',
  'well_played',
  'nice',
  'wow',
  'oops',
  'sorry',
  'thinking',
  'hurry',
  'laugh',
  'cry',
  'bye',
] as const;
export type Emote = (typeof EMOTES)[number];
export type Ending = 'out' | 'no_cards' | 'stalled' | 'last';
export type Phase = 'waiting' | 'draw' | 'play' | 'group' | 'hand_over' | 'over';

/* ---- What the page sends ------------------------------------------------------------------ */
export interface CommandData {
  draw: { from: 'stock' | 'discard' };
  cancel_draw: Record<string, never>;
  flip: Record<string, never>;
  meld: { cards: Card[] };
  take_back: { meld?: number };
  lay_off: { card: Card; meld: number; end?: End };
  swap: { card: Card; meld: number; joker?: Card };
  discard: { cards: Card[] };
  drop: Record<string, never>;
  declare: { groups: Card[][]; finish: Card };
  group: { groups: Card[][]; done: boolean };
  rejoin: Record<string, never>;
  ready: Record<string, never>;
  leave: Record<string, never>;
  return: Record<string, never>;
  seed: { seed: string };
  legal: { hints?: boolean };
  chat: { text: string };
  emote: { name: Emote };
  ping: Record<string, never>;
}
export type CommandType = keyof CommandData;
export const COMMANDS: Record<CommandType, true> = {
  draw: true,
  cancel_draw: true,
  meld: true,
  take_back: true,
  lay_off: true,
  swap: true,
  discard: true,
  leave: true,
  return: true,
  seed: true,
  legal: true,
  ping: true,
  chat: true,
  emote: true,
  flip: true,
  drop: true,
  declare: true,
  group: true,
  rejoin: true,
  ready: true,
};
export type Command = { [T in CommandType]: { t: T; d: CommandData[T] } }[CommandType];

/* ---- Events: gap-free, one v each ------------------------------------------------------------ */
export interface EventData {
  dealt: { cards?: Card[]; n?: number; hand_no?: number; stock_n?: number };
  turn: { round: number; phase: 'draw' | 'play' };
  drew: { from: 'stock' | 'discard'; card?: Card; must_open?: boolean };
  draw_cancelled: { card: Card };
  melded: { meld: number; kind: MeldKind; cards: Card[]; low: number; staged: boolean; worth: number };
  taken_back: { meld: number; cards: Card[] };
  opened: { sum: number };
  laid_off: { meld: number; card: Card; end?: End | null };
  swapped: { meld: number; card: Card; joker: Card; place: number };
  swap_undone: { meld: number; card: Card; joker: Card; place: number };
  discarded: { cards: Card[]; buried?: boolean };
  reshuffled: { stock_n: number };
  flipped: { stock_n: number; card: Card };
  timed_out: { in_a_row: number };
  away: object;
  returned: object;
  left: object;
  wild: { card: Card; rank: string };
  dropped: { points: number; kind?: 'first' | 'middle' | 'left' | null };
  declared: {
    valid: boolean;
    groups: Card[][];
    rest?: Card[];
    finish?: Card | null;
    points?: number;
    code?: string | null;
  };
  grouped: { groups?: Card[][]; rest?: Card[]; done?: boolean };
  rejoined: { total: number };
  eliminated: { total: number };
  hand_ended: { winner: number | null; ending: Ending; rummy: boolean };
  scored: Omit<WireScore, 'seat'>;
  session_ended: { winner: number | null; winners?: number[]; totals?: number[] };
}
export type EventType = keyof EventData;
export const EVENTS: Record<EventType, true> = {
  dealt: true,
  turn: true,
  drew: true,
  draw_cancelled: true,
  melded: true,
  taken_back: true,
  opened: true,
  laid_off: true,
  swapped: true,
  swap_undone: true,
  discarded: true,
  reshuffled: true,
  timed_out: true,
  away: true,
  returned: true,
  left: true,
  hand_ended: true,
  scored: true,
  session_ended: true,
  flipped: true,
  wild: true,
  dropped: true,
  declared: true,
  grouped: true,
  rejoined: true,
  eliminated: true,
};
export type TableEvent = {
  [T in EventType]: { v: number; t: T; seat?: number | null; d: EventData[T] };
}[EventType];

/* ---- Other frames ------------------------------------------------------------------------------ */
export interface WireSeat {
  seat: number;
  player_id: string | null;
  nick: string;
  avatar: string | number | null;
  bot: boolean;
  on: boolean;
}
export interface SnapshotSeat extends WireSeat {
  away: boolean;
  left: boolean;
  opened: boolean;
  cards_n: number;
  round: number;
  /** Total of the session. */
  points: number | null;
}
export interface WireMeld {
  id: number;
  kind: MeldKind;
  owner: number;
  low: number;
  suit: Suit | null;
  staged: boolean;
  cards: Card[];
}
export interface WireTurn {
  drew: boolean;
  drawn: Card | null;
  may_cancel: boolean;
  must_open: boolean;
  stock_only: boolean;
  opening_turn: boolean;
  staged_sum: number;
  opening_min: number;
  freed_jokers: number;
  flips?: number;
  freed?: { joker: Card; meld: number }[];
}
export interface WireScore {
  seat: number;
  /** Of this hand. */
  points: number;
  place: number;
  cards: Card[];
  opened: boolean;
  won: boolean;
  rummy: boolean;
  left: boolean;
  /** Of the session, this hand counted. */
  total?: number;
  bonus?: number;
  /** How the cards were grouped, where they were. */
  groups?: Card[][] | null;
  dropped?: boolean;
  wrong?: boolean;
  out?: boolean;
  sat_out?: boolean;
}
/** What is played at a table, and for what. */
export interface WireAbout {
  variant: string;
  room: string | null;
  commit: string;
  stake: number;
  reward: number;
  multiplier: string | number;
}
export interface WireTable extends WireAbout {
  id: string;
  hand_no: number;
}
export interface WireWaiting extends WireAbout {
  seats: WireSeat[];
  /** Free seats that bots will have. */
  bots_n?: number;
  starts_in_ms: number | null;
}
export interface WireClock {
  /** null: all who group their cards. */
  seat: number | null;
  ms_left: number;
  turn_ms: number;
}
export interface Snapshot {
  table: WireTable;
  /** The hand that was dealt last; `table.hand_no` is the next one between two hands. */
  hand_no?: number;
  me: number | null;
  phase: Phase;
  to_move?: number | null;
  starter?: number | null;
  seats: (WireSeat | SnapshotSeat)[];
  hand?: Card[];
  stock_n?: number;
  discard?: Card[];
  melds?: WireMeld[];
  turn?: WireTurn | null;
  clock?: WireClock | null;
  result?: { winner: number | null; winners?: number[]; ending: Ending; seats: WireScore[] } | null;
  /** Parameters of the table, by the engine's names. */
  params?: Record<string, unknown>;
  wild?: { card: Card; rank?: string } | null;
  dropped?: number[];
  wrong?: number[];
  sat_out?: number[];
  eliminated?: number[];
  to_group?: number[];
  declarer?: number | null;
  grouping?: { groups: Card[][] } | null;
  drop_points?: number;
  may_take?: boolean;
  bonus?: number[];
}
export interface WireChat {
  id: string;
  seat: number;
  text: string;
  at: string;
}
export interface WireEmote {
  id: string;
  seat: number;
  name: Emote;
  at: string;
}
/** To one who is back. */
export interface WirePlayed {
  from_v: number;
  to_v: number;
  turns: number;
  time_outs: number;
  melds: number;
  lay_offs: number;
  opening: number | null;
  thrown: Card[];
  drop_points: number | null;
  hands: number;
  points: number;
  reserve_used_ms: number;
  reserve_left_ms: number;
}
export interface LobbyRoom {
  id: string;
  name: string;
  variant: string;
  seats: number;
  open: boolean;
  people: number;
  tables: number;
}
export interface LobbyTable {
  id: string;
  room: string | null;
  variant: string;
  state: 'waiting' | 'playing';
  seats: number;
  people: number;
  bots: number;
  stake: number;
  options: Record<string, unknown>;
  watch: boolean;
}
export interface WireFriend {
  player_id: string;
  nickname: string;
  avatar: string;
  state: 'lobby' | 'waiting' | 'playing';
  /** null: in the lobby, or at a private table. */
  table_id: string | null;
}
export interface WireLobby {
  rooms: LobbyRoom[];
  tables: LobbyTable[];
  online: number;
  playing: number;
}
export interface WireNext {
  hand_no: number;
  commit: string;
  starts_in_ms: number | null;
  ready: number[];
}
export interface SettledSeat {
  seat: number;
  place: number;
  points: number;
  /** Bots have none of these; chips are told to their owner only. */
  clover: number | null;
  silver: number | null;
  gold: number | null;
  silver_lost: number | null;
  level_gold: number | null;
  level: number | null;
  levels_gained: number | null;
  title: string | null;
  rating: number | null;
}
export interface Fairness {
  commit: string;
  server_seed: string;
  client_seeds: string[];
  table_id: string;
  hand_no: number;
  key_text?: string;
}
export interface LegalMove {
  t: CommandType;
  d: Record<string, unknown>;
}
export interface Nack {
  t: 'nack';
  id: string | null;
  code: string;
  cards?: Card[];
  text: string;
}

export type ServerFrame =
  | TableEvent
  | Nack
  | { t: 'ack'; id: string; v: number }
  | { t: 'snapshot'; v: number; d: Snapshot }
  | { t: 'clock'; d: WireClock }
  | { t: 'chat'; d: WireChat }
  | { t: 'emote'; d: WireEmote }
  | { t: 'played_for_you'; d: WirePlayed }
  | { t: 'watchers'; d: { n: number } }
  | { t: 'rematch'; d: { table_id: string; seats: number[] } }
  | { t: 'notification'; d: { id: string; at: string; kind: string; data: Record<string, unknown> } }
  | { t: 'friends'; d: { items: WireFriend[] } }
  | { t: 'lobby'; d: WireLobby }
  | { t: 'lobby_changed'; d: WireLobby & { gone: string[] } }
  | { t: 'presence'; d: { seat: number; on: boolean } }
  | { t: 'paused'; d?: object }
  | { t: 'resumed'; d?: object }
  | { t: 'restarting'; d: { retry_ms: number } }
  | { t: 'next_hand'; d: WireNext }
  | { t: 'waiting'; d: WireWaiting }
  | { t: 'cancelled'; d: { reason: string } }
  | { t: 'settled'; d: { seats: SettledSeat[]; game_id: string } }
  | { t: 'fairness'; d: Fairness }
  | { t: 'legal'; id: string; v: number; d: { types: CommandType[]; moves: LegalMove[] } }
  | { t: 'pong'; id: string; d: { now: string } };

/** Frames that are no event. */
export const STATES: Record<Exclude<ServerFrame['t'], EventType>, true> = {
  ack: true,
  nack: true,
  pong: true,
  legal: true,
  snapshot: true,
  next_hand: true,
  chat: true,
  emote: true,
  played_for_you: true,
  watchers: true,
  rematch: true,
  notification: true,
  friends: true,
  lobby: true,
  lobby_changed: true,
  waiting: true,
  presence: true,
  clock: true,
  paused: true,
  resumed: true,
  restarting: true,
  cancelled: true,
  settled: true,
  fairness: true,
};

/** Close codes of the table socket. */
export const CLOSE = {
  LEFT: 4000,
  RESTARTING: 4001,
  REPLACED: 4003,
  TOO_SLOW: 4008,
  BAD_TICKET: 4401,
  FORBIDDEN: 4403,
  FLOODING: 4429,
} as const;

/** Whatever else counts a version is an event, one of a later protocol too. */
export function isEvent(frame: ServerFrame): frame is TableEvent {
  return 'v' in frame && !['ack', 'snapshot', 'legal'].includes(frame.t);
}
