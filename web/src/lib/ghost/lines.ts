/* Comparison of two lines of play from one deal: their results, and where they diverge. Pure. */
import type { Engine, Replay } from '@rummyd/engine';
import { positionOf } from './follow';

/** One hand of a record; `number` counts from 0. */
export interface Line {
  text: string;
  number: number;
}
/** The turns in which a seat did something, numbered as in the record; null: never. */
export interface Course {
  points: number;
  place: number;
  opened: number | null;
  /** Declared, or played the last card. */
  out: number | null;
  dropped: number | null;
  turns: number;
}
export interface Parting {
  turn: number;
  /** Seat whose turn it was. */
  seat: number;
}

export function courseOf(engine: Engine, { text, number }: Line, seat: number): Course {
  const replay = engine.record.replay(text, number);
  const course: Course = { points: 0, place: 0, opened: null, out: null, dropped: null, turns: 0 };
  for (let done = replay.step(); done; done = replay.step()) {
    const { turn } = done.step;
    course.turns = turn;
    for (const event of done.events) {
      if (event.t === 'hand_ended' && event.d.winner === seat) course.out = turn;
      if (event.seat !== seat) continue;
      if (event.t === 'opened') course.opened = turn;
      else if (event.t === 'dropped') course.dropped = turn;
      else if (event.t === 'declared' && event.d.valid) course.out = turn;
    }
  }
  const score = replay.hand.result?.scores.find((s) => s.seat === seat);
  replay.close();
  return { ...course, points: score?.points ?? 0, place: score?.place ?? 0 };
}

/** Advances to the end of the next turn; null if there is none. */
function turnOf(replay: Replay): Parting | null {
  const { steps } = replay.hand;
  const first = steps[replay.at];
  if (!first || first.move.t === 'group') return null;
  let at = replay.at;
  while (steps[at]?.turn === first.turn && steps[at]?.move.t !== 'group') at++;
  replay.seek(at);
  return { turn: first.turn, seat: first.seat };
}

/** First turn after which the two lines differ; null if they never do. */
export function partingOf(engine: Engine, one: Line, other: Line): Parting | null {
  const replays = [one, other].map(({ text, number }) => engine.record.replay(text, number));
  const [a, b] = replays as [Replay, Replay];
  try {
    for (;;) {
      const [mine, theirs] = [turnOf(a), turnOf(b)];
      if (!mine || !theirs) return mine ?? theirs;
      if (positionOf(a.game, false) !== positionOf(b.game, false)) return mine;
    }
  } finally {
    for (const replay of replays) replay.close();
  }
}
