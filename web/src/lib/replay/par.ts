/* Par of a game: a strong bot replays the player's seat from the same deals, many times over. docs/analysis.md has the definition.
 * Pure. The engine deals and plays. */
import type { Engine, Game } from '@rummyd/engine';
import { dealsOf } from './deals';

export interface Par {
  /** Games played by the bot. */
  runs: number;
  /** The fraction of those games in which the player did better; a tie counts as half. */
  beaten: number;
  /** The player's points, and the bot's mean. Fewer are better. */
  own: number;
  mean: number;
}

const RUNS = 200;
/** A session of many hands is replayed fewer times, because each of its hands takes as long as a whole
 * game. */
const RUNS_MIN = 40;
/** No hand has this many moves. */
const MOVES_MAX = 3000;
const PLAYED = new Set<string>(['draw', 'play', 'group']);

/** The points of the seat in a hand that bots play to its end; null if it has none. Bots at medium strength
 * vary from game to game, and a strong bot does not, so the bots in the other seats make each game
 * different. */
export function playOut(game: Game, seat: number, run: number): number | null {
  for (let other = 0; other < game.players; other++)
    game.botDice(other, BigInt(run * game.players + other + 1));
  for (let n = 0, view = game.view(); n < MOVES_MAX && PLAYED.has(view.phase); n++, view = game.view()) {
    const mover = view.to_move ?? view.to_group[0];
    if (mover === undefined) return null;
    const events = game.apply(mover, game.botMove(mover, mover === seat ? 'strong' : 'medium'));
    const score = events.find((event) => event.t === 'scored' && event.seat === seat);
    if (score?.t === 'scored') return score.d.points;
  }
  return null;
}

/** Compares the seat's result with the bot's. After each game of the bot, it yields its progress from 0 to
 * 1. Null if the record has no hand that the seat played to the end. */
export function* parOf(
  engine: Engine,
  text: string,
  seat: number,
  most = RUNS,
): Generator<number, Par | null> {
  const hands = dealsOf(engine, text, seat).map(({ number, points }) => ({
    replay: engine.record.replay(text, number),
    points,
  }));
  const runs = Math.max(Math.min(most, RUNS_MIN), Math.round(most / Math.max(1, hands.length)));
  const own = hands.reduce((sum, { points }) => sum + points, 0);
  const totals: number[] = [];
  try {
    for (let run = 0; hands.length > 0 && run < runs; run++) {
      let total: number | null = 0;
      for (const { replay } of hands) {
        const game = replay.game.copy();
        const points = playOut(game, seat, run);
        game.close();
        total = total === null || points === null ? null : total + points;
      }
      if (total !== null) totals.push(total);
      yield (run + 1) / runs;
    }
  } finally {
    for (const { replay } of hands) replay.close();
  }
  if (totals.length === 0) return null;
  const beaten = totals.reduce((sum, total) => sum + (total > own ? 1 : total === own ? 0.5 : 0), 0);
  return {
    runs: totals.length,
    beaten: beaten / totals.length,
    own,
    mean: totals.reduce((sum, total) => sum + total, 0) / totals.length,
  };
}
