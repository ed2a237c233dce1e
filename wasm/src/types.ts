/* What goes into the engine and comes out of it. Shapes and words are those of the live tables, from asyncapi.yaml. */
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
/** A player's move as the command that makes it; `time_out` and `close` are made by the table alone. */
export type Move =
  | { [T in keyof Played]: { t: T; d: Played[T] } }[keyof Played]
  | { t: 'time_out' | 'close'; d?: Record<string, never> };

/** A seat's number, somebody who holds none, or whoever may see all cards: on one's own machine, after the hand. */
export type Viewer = number | 'spectator' | 'everybody';
export type Level = 'easy' | 'medium' | 'strong' | 'master';

/** The row of a variant, as in `params` of a snapshot. */
export type Params = Record<string, number>;
export interface Table {
  variant: string;
  players: number;
  /** Fields of the row that are other ones here. */
  params?: Params;
  /** Options by the names and values that private tables have. */
  options?: Record<string, string | number>;
}

/** What a hand is dealt from, as `fairness` tells it. */
export interface Seeds {
  server_seed: string;
  table_id?: string | number | bigint;
  /** For each seat, in hexadecimal digits; empty: none. */
  client_seeds?: readonly string[];
}

/** Which hand of a session; a later one is told who starts, and who was out before it. */
export interface HandOf {
  hand_no: number;
  starter?: number;
  out?: readonly number[];
}
export interface Dealt {
  starter: number;
  /** Turned up, in the declare family. */
  wild: Card | null;
  /** By seat, in the order of the pack. */
  hands: Card[][];
}

/** What a viewer sees, as `d` of a snapshot: what the game alone says. */
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
  /** From the bottom to the top. */
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
  /** Of the hand, once it is over. */
  winner: number | null;
  /** Of the session, once it is over. */
  winners: number[];
  /** A hand can be dealt now. */
  may_deal: boolean;
  /** For everybody's eyes: the hand of each seat, and the stock as it will be drawn. */
  hands?: Card[][];
  stock?: Card[];
}

/** As `d` of the frame `legal`. */
export interface Legal {
  /** Every kind of command that has some legal form. */
  types: Move['t'][];
  /** Each move but melds, declarations and groupings; with hints good ones come first. */
  moves: Move[];
}

/** What can be laid down now. */
export interface Opening {
  /** The seat has not opened, and with these it does. */
  opens: boolean;
  melds: { kind: 'set' | 'run'; cards: Card[]; worth: number }[];
  worth: number;
  staged_sum: number;
  opening_min: number;
}

/** The best grouping of a hand: the fewest points are left. */
export interface Arrangement {
  groups: Card[][];
  rest: Card[];
  /** Of a hand of 14 cards that is declared: the one for the finish slot. */
  finish: Card | null;
  /** What the hand counts; of the declare family before the cap. */
  points: number;
  /** Of the groups, where melds are laid. */
  worth: number;
  /** Nothing is left; in the declare family it is a valid declaration. */
  complete: boolean;
}

export interface RecordStep {
  /** As it is numbered in the record. */
  turn: number;
  seat: number;
  move: Move;
  /** What it showed: the card drawn, or the one that the clock threw. */
  card: Card | null;
}
/** A hand, as docs/records.md has it. */
export interface RecordHand {
  variant: string;
  params: Params;
  table_id: string;
  hand_no: number;
  start: string | null;
  end: string | null;
  /** It begins with a position, not with a deal. */
  position: boolean;
  /** Before this hand; none in the first one. */
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
  /** `ok`; `unproven`: it holds by itself, but follows a wrong one. */
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
  /** What is wrong, in a sentence, and where. */
  text?: string;
  turn?: number;
  step?: number;
  /** Why the move was refused. */
  code?: string | null;
}
/** Who sat at a table, for its record. */
export interface Person {
  name: string;
  level?: Level;
}
