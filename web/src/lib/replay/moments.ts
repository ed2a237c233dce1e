/* A hand of a record as a series of moments: the table after each move, as one seat saw it or with all hands
 * open. The engine replays the hand; this module adds names and converts the engine's views to the state of
 * a live table. Pure. */
import type { Card } from '$lib/cards/cards';
import { say } from '$lib/messages/messages';
import { applyEvent } from '$lib/table/apply';
import { fromSnapshot, type TableState } from '$lib/table/state';
import { scores } from '$lib/table/commentary';
import { describe } from '$lib/table/text';
import type { SnapshotSeat, TableEvent } from '@rummyd/client';
import {
  EngineError,
  type Engine,
  type Level,
  type RecordHand,
  type RecordStep,
  type Replay,
  type View,
} from '@rummyd/engine';

/** The point of view: `seat` is nearest. If `open`, all hands are visible, otherwise only that of the
 * seat. */
export interface Eyes {
  seat: number;
  open: boolean;
}
/** Player of a seat, if more is known than in the record. */
export interface Person {
  avatar?: string;
  /** The current viewer. */
  mine?: boolean;
}
export interface Moment {
  /** Number of moves made. */
  at: number;
  /** Turn of the last move, and its number in the turn, from 1. Both are 0 after the deal. */
  turn: number;
  move: number;
  seat: number | null;
  step: RecordStep | null;
  /** Events of the last move. */
  events: TableEvent[];
  table: TableState;
  /** By seat; empty if hidden. */
  hands: Card[][];
  /** The last move in words, one sentence per event. */
  said: string[];
}
/** The invalid move where a record breaks off. */
export interface Break {
  turn: number;
  code: string;
}
export interface Story {
  hand: RecordHand;
  moments: Moment[];
  broken: Break | null;
}

const viewerOf = (eyes: Eyes) => (eyes.open ? 'everybody' : eyes.seat);

function seatOf(hand: RecordHand, view: View, seat: number, person: Person | undefined): SnapshotSeat {
  const { name, kind } = hand.seats[seat] ?? { name: '', kind: 'person' };
  const bot = kind !== 'person';
  const told = view.seats[seat] ?? {
    seat,
    away: false,
    left: false,
    opened: false,
    cards_n: 0,
    round: 1,
    points: 0,
  };
  return {
    ...told,
    player_id: bot ? null : `${seat}`,
    nick: name || say('seat.n', { n: seat + 1 }),
    avatar: person?.avatar ?? '',
    bot,
    ...(bot && { level: kind.replace('bot ', '') as Level }),
    on: true,
  };
}

function handsOf(view: View, eyes: Eyes, players: number): Card[][] {
  if (view.hands) return view.hands;
  return Array.from({ length: players }, (_, seat) => (seat === eyes.seat ? view.hand : []));
}

/** The engine's view converted to a live table. */
function tableOf(hand: RecordHand, view: View, eyes: Eyes, people: readonly Person[]): TableState {
  const seats = hand.seats.map(({ seat }) => seatOf(hand, view, seat, people[seat]));
  const { table_id: id, hand_no, variant, commit = '' } = hand;
  const table = { id, hand_no, variant, room: '', commit, stake: 0, reward: 0, multiplier: '1' };
  const own = handsOf(view, eyes, seats.length)[eyes.seat] ?? [];
  const state = fromSnapshot(view.v, { ...view, table, me: eyes.seat, seats, hand: own });
  return { ...state, onlooker: people[eyes.seat]?.mine !== true };
}

/** Adds how a hand ended, which a view no longer contains. */
function withEnd(state: TableState, told: TableState): TableState {
  const { result, session, history } = told;
  return { ...state, result, session, history, declared: told.declared ?? state.declared };
}

/** The event in words. With open hands, the drawn card is named, too. Turn prompts are omitted. */
function sentence(event: TableEvent, table: TableState, eyes: Eyes): string {
  if (event.t === 'turn') return '';
  if (event.t === 'scored') return scores(table);
  const seen = eyes.open && event.t === 'drew' && event.d.from === 'stock' ? event.d.card : undefined;
  return describe(event, table, seen);
}

class Teller {
  private turn = 0;
  private move = 0;

  constructor(
    private readonly replay: Replay,
    private readonly eyes: Eyes,
    private readonly people: readonly Person[],
  ) {}

  private seen(): { table: TableState; hands: Card[][] } {
    const { hand, game, players } = this.replay;
    const view = game.view(viewerOf(this.eyes));
    return { table: tableOf(hand, view, this.eyes, this.people), hands: handsOf(view, this.eyes, players) };
  }

  first(history: TableState['history']): Moment {
    const { table, hands } = this.seen();
    const said = [say('replay.dealt', { n: this.replay.hand.hand_no })];
    return {
      at: 0,
      turn: 0,
      move: 0,
      seat: null,
      step: null,
      events: [],
      table: { ...table, history },
      hands,
      said,
    };
  }

  /** null if there are no more. Throws an EngineError at an invalid move. */
  next(before: TableState): Moment | null {
    const done = this.replay.step(viewerOf(this.eyes));
    if (!done) return null;
    const { step, events } = done;
    this.move = step.turn === this.turn ? this.move + 1 : 1;
    this.turn = step.turn;
    const said: string[] = [];
    let told = before;
    for (const event of events) {
      told = applyEvent(told, event);
      said.push(sentence(event, told, this.eyes));
    }
    const { table, hands } = this.seen();
    const { turn, move } = this;
    return {
      at: this.replay.at,
      turn,
      move,
      seat: step.seat,
      step,
      events,
      table: withEnd(table, told),
      hands,
      said: said.filter(Boolean),
    };
  }
}

/** Points of the previous hands, from the ends of their records. */
function historyOf(hands: readonly RecordHand[]): TableState['history'] {
  return hands.flatMap(({ hand_no: handNo, result }) =>
    result
      ? [{ handNo, points: result.scores.map((s) => (s.flags.includes('sat-out') ? null : s.points)) }]
      : [],
  );
}

/** The hand of this number (from 0) in a record. Throws an EngineError if the record cannot be read, or its
 * start is invalid. */
export function storyOf(
  engine: Engine,
  record: { text: string; hands: readonly RecordHand[] },
  number: number,
  eyes: Eyes,
  people: readonly Person[] = [],
): Story {
  const replay = engine.record.replay(record.text, number);
  try {
    const teller = new Teller(replay, eyes, people);
    const moments = [teller.first(historyOf(record.hands.slice(0, number)))];
    try {
      for (let next = teller.next(tableAfter(moments)); next; next = teller.next(tableAfter(moments)))
        moments.push(next);
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      const turn = replay.hand.steps[replay.at]?.turn ?? 0;
      return { hand: replay.hand, moments, broken: { turn, code: error.code } };
    }
    return { hand: replay.hand, moments, broken: null };
  } finally {
    replay.close();
  }
}

function tableAfter(moments: readonly Moment[]): TableState {
  return (moments.at(-1) as Moment).table;
}

/** Index of the moment after a move of a turn; without `move`, the last moment of the turn. */
export function momentOf(moments: readonly Moment[], turn: number, move: number | null): number {
  if (turn <= 0) return 0;
  const until = moments.filter(
    (m) => m.turn < turn || (m.turn === turn && (move === null || m.move <= move)),
  );
  return Math.max(0, until.length - 1);
}

/** The first moment of each turn, in order. */
export function turnsOf(moments: readonly Moment[]): Moment[][] {
  const turns: Moment[][] = [];
  for (const moment of moments) {
    if (moment.move <= 1 || turns.length === 0) turns.push([moment]);
    else turns.at(-1)?.push(moment);
  }
  return turns;
}
