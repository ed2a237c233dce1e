/* Inputs and outputs of the engine. Structures and names are those of the live tables, from
 * asyncapi.yaml. */
import type {
  CommandData,
  EventData,
  SnapshotSeat,
  TableEvent,
  WireMeld,
  WireTurn,
  Phase,
  Ending,
} from '@rummyd/client';

/** "TH1": rank, suit, pack; jokers "X1" to "X6". */
export type Card = string;
/** Any event of a game. */
export type GameEvent = TableEvent;
export type { EventData, Phase, Ending };

type Played = Omit<CommandData, 'ready' | 'seed' | 'legal' | 'chat' | 'emote' | 'ping'>;
/** A player's move, in the form of its command. Only the table makes `time_out` and `close`. */
export type Move =
  | { [T in keyof Played]: { t: T; d: Played[T] } }[keyof Played]
  | { t: 'time_out' | 'close'; d?: Record<string, never> };

/** A seat's number, a spectator, or a viewer who sees all cards, for example in a replay. */
export type Viewer = number | 'spectator' | 'everybody';
export type Level = 'easy' | 'medium' | 'strong' | 'master';

/** The row of a variant, as in `params` of a snapshot. */
export type Params = Record<string, number>;
export interface Table {
  variant: string;
  players: number;
  /** Overrides of the row's fields. */
  params?: Params;
  /** Options with the names and values of private tables. */
  options?: Record<string, string | number>;
}

/** Inputs of a deal, as in `fairness`. */
export interface Seeds {
  server_seed: string;
  table_id?: string | number | bigint;
  /** For each seat, in hexadecimal; empty if the seat has none. */
  client_seeds?: readonly string[];
}

/** Which hand of a session and, for a later hand, its starter and the seats that were out before it. */
export interface HandOf {
  hand_no: number;
  starter?: number;
  out?: readonly number[];
}
export interface Dealt {
  starter: number;
  /** The card turned up, in the declare family. */
  wild: Card | null;
  /** By seat, in pack order. */
  hands: Card[][];
}

/** What a viewer sees: the part of a snapshot's `d` that comes from the game. */
export interface View {
  v: number;
  variant: string;
  params: Params;
  hand_no: number;
  totals: number[];
  bonus: number[];
  me: number | null;
  phase: Phase;
  to_move: number | null;
  starter: number | null;
  seats: Pick<SnapshotSeat, 'seat' | 'away' | 'left' | 'opened' | 'cards_n' | 'round' | 'points'>[];
  hand: Card[];
  stock_n: number;
  /** From bottom to top. */
  discard: Card[];
  melds: WireMeld[];
  turn: WireTurn;
  wild: { card: Card; rank: string } | null;
  dropped: number[];
  wrong: number[];
  sat_out: number[];
  eliminated: number[];
  to_group: number[];
  declarer: number | null;
  may_take: boolean;
  drop_points: number;
  may_rejoin: boolean;
  rejoin_total: number;
  grouping: { groups: Card[][]; rest: Card[] } | null;
  /** Winner of the hand, once it is over. */
  winner: number | null;
  /** Winners of the session, once it is over. */
  winners: number[];
  /** Whether a hand can be dealt now. */
  may_deal: boolean;
  /** Only if all cards are visible: the hand of each seat, and the stock in drawing order. */
  hands?: Card[][];
  stock?: Card[];
}

/** As `d` of the frame `legal`. */
export interface Legal {
  /** Every kind of command for which there is a legal move now. */
  types: Move['t'][];
  /** All moves except melds, declarations, and groupings; with hints, good ones come first. */
  moves: Move[];
}

/** What can be melded now. */
export interface Opening {
  /** Whether the seat has not opened yet and these melds would open. */
  opens: boolean;
  melds: { kind: 'set' | 'run'; cards: Card[]; worth: number }[];
  worth: number;
  staged_sum: number;
  opening_min: number;
}

/** The best grouping of a hand, which leaves the fewest points. */
export interface Arrangement {
  groups: Card[][];
  rest: Card[];
  /** The card for the finish slot if a hand of 14 cards is declared. */
  finish: Card | null;
  /** Points of the hand; in the declare family, before the cap. */
  points: number;
  /** Worth of the groups, in the meld family. */
  worth: number;
  /** Whether no card is left over and, in the declare family, the grouping is a valid declaration. */
  complete: boolean;
}

export interface RecordStep {
  /** Number of the turn in the record. */
  turn: number;
  seat: number;
  move: Move;
  /** The card that the move revealed: the card drawn, or the card that a timeout discarded. */
  card: Card | null;
}
/** A hand, as in docs/records.md. */
export interface RecordHand {
  variant: string;
  params: Params;
  table_id: string;
  hand_no: number;
  start: string | null;
  end: string | null;
  /** Whether it begins with a position instead of a deal. */
  position: boolean;
  /** Totals before this hand; empty for the first one. */
  totals: number[];
  commit?: string;
  server_seed?: string;
  starter: number | null;
  seats: { seat: number; name: string; kind: string; seed: string; cards: Card[] }[];
  steps: RecordStep[];
  result: {
    winner: number | null;
    ending: Ending;
    rummy: boolean;
    scores: { seat: number; place: number; points: number; cards_n: number; flags: string[] }[];
  } | null;
}
export interface HandVerdict {
  hand_no: number;
  moves: number;
  /** `unproven`: the hand is consistent, but follows an invalid one. */
  verdict:
    | 'ok'
    | 'unproven'
    | 'wrong_commit'
    | 'wrong_deal'
    | 'wrong_position'
    | 'illegal_move'
    | 'wrong_score'
    | 'too_long'
    | 'wrong_session';
  /** The fault in a sentence, with its location. */
  text?: string;
  turn?: number;
  step?: number;
  /** Why the move was rejected. */
  code?: string | null;
}
/** Names of the seats, for a record. */
export interface Person {
  name: string;
  level?: Level;
}
