/* The deals of a record: hands in which a seat was dealt cards and that have a result. Par and ghosts
 * replay them. Pure. */
import type { Engine, RecordHand } from '@rummyd/engine';

export interface Deal {
  /** Index of the hand in the record, from 0. */
  number: number;
  hand: RecordHand;
  /** Points of the seat in this hand; fewer are better. */
  points: number;
  /** The seat left the hand before its end. */
  left: boolean;
}

export function dealsOf(engine: Engine, text: string, seat: number): Deal[] {
  return engine.record.parse(text).flatMap((hand, number) => {
    const score = hand.result?.scores.find((s) => s.seat === seat);
    if (!score || hand.position || hand.seats[seat]?.cards.length === 0) return [];
    return [{ number, hand, points: score.points, left: score.flags.includes('left') }];
  });
}
