/* The connection to the table of a puzzle: a position in this browser's engine, where a move is an answer
 * and is not played. */
import type { Engine, Move } from '@rummyd/engine';
import type { ServerFrame } from '@rummyd/client';
import { LocalConnection } from '$lib/local/connection';
import { LocalSession } from '$lib/local/session';
import { say } from '$lib/messages/messages';
import type { OpenConnection } from '$lib/table/connection';
import { answerOf, type Puzzle } from './puzzles';

/** Shows the other seats as human players who are present, so that no one continues to play. */
function asPeople(frame: ServerFrame): ServerFrame {
  if (frame.t !== 'snapshot') return frame;
  const seats = frame.d.seats.map(({ level: _, ...seat }) => ({
    ...seat,
    bot: false,
    on: true,
    player_id: String(seat.seat),
  }));
  return { ...frame, d: { ...frame.d, seats } };
}

/** Throws an EngineError if this engine cannot read the position. onanswer: called when the player answers
 * with a tap or a drag on the table. */
export function puzzleLine(
  engine: Engine,
  puzzle: Puzzle,
  onanswer: (choice: string) => void,
): OpenConnection {
  const { variant, players, seat: me } = puzzle;
  const names = Array.from({ length: players }, (_, seat) =>
    seat === me ? say('you') : say('seat.n', { n: seat + 1 }),
  );
  const setting = { variant, names, me, level: 'strong', tableId: puzzle.id } as const;
  const replay = engine.record.replay(puzzle.position);
  replay.seek(replay.hand.steps.length);
  const session = new LocalSession(engine, setting, replay.game.copy());
  replay.close();
  const lead = {
    allows: (move: Move) => {
      const choice = answerOf(puzzle, move);
      if (choice !== null) onanswer(choice);
      return false;
    },
  };
  return (end) =>
    new LocalConnection(
      session,
      { thinkMs: 0, lead },
      { ...end, frame: (frame) => end.frame(asPeople(frame)) },
    );
}
