/* For tests: games of bots, played by the engine. The same arguments give the same game. */
import type { Engine, Game, Level, Move, Table } from '@rummyd/engine';

const FAIR = { table_id: 917 };
const MOVES_MAX = 3000;

/** The record of a whole session, with all hands in order. levels: by seat; the last one applies to all
 * other seats. way: replaces a bot's move. */
export function played(
  engine: Engine,
  table: Table,
  levels: readonly Level[] = ['medium'],
  seed = '5e',
  way: (game: Game, seat: number, move: Move) => Move = (_, __, move) => move,
): string {
  const game = engine.newGame(table);
  const level = (seat: number) => levels[seat] ?? levels.at(-1) ?? 'medium';
  const people = Array.from({ length: table.players }, (_, seat) => ({
    name: String.fromCharCode(65 + seat),
    level: level(seat),
  }));
  const hands: string[] = [];
  for (let hand = 1; game.view().may_deal && hand < 20; hand++) {
    game.deal({ ...FAIR, server_seed: seed.repeat(32) });
    for (
      let n = 0, view = game.view();
      n < MOVES_MAX && ['draw', 'play', 'group'].includes(view.phase);
      n++
    ) {
      const seat = view.to_move ?? (view.to_group[0] as number);
      game.apply(seat, way(game, seat, game.botMove(seat, level(seat))));
      view = game.view();
    }
    hands.push(game.record(people));
  }
  game.close();
  return hands.join('\n');
}
