/* The other seats in a replayed deal: they move as in the record until the player decides differently or
 * one of them cannot follow. From then on, bots play them. */
import type { Game, Move, Replay } from '@rummyd/engine';
import type { Lead } from '$lib/local/connection';

/** Moves caused by the table or by a player's absence, which are not decisions about cards. */
const NOT_PLAYED = new Set<Move['t']>(['leave', 'return', 'close']);
const INSIDE = new Set<string>(['draw', 'play']);

/** Identity of a position, however it was reached. numbered: also compare the numbers of melds, because
 * recorded moves refer to melds by number. */
export function positionOf(game: Game, numbered: boolean): string {
  const { phase, to_move, hands, stock, discard, melds, seats, dropped, wrong } = game.view();
  const laid = melds.map(({ id, low, cards }) => [numbered ? id : 0, low, ...[...cards].sort()].join(' '));
  const held = hands?.map((cards) => [...cards].sort().join(' '));
  const states = seats.map(({ away, left, opened }) => [away, left, opened]);
  return JSON.stringify([phase, to_move, held, stock, discard, laid.sort(), states, dropped, wrong]);
}

export class Follow implements Lead {
  private parted = false;

  /** replay: the recorded hand, at its beginning. */
  constructor(
    private readonly replay: Replay,
    private readonly me: number,
    private readonly game: Game,
  ) {}

  botMove(seat: number): Move | null {
    const step = this.parted ? undefined : this.replay.hand.steps[this.replay.at];
    if (step?.seat === seat && !NOT_PLAYED.has(step.move.t)) return step.move;
    this.parted = true;
    return null;
  }

  moved(seat: number): void {
    if (this.parted) return;
    if (seat !== this.me) {
      this.replay.step();
      return;
    }
    const { to_move, phase } = this.game.view('spectator');
    if (to_move === this.me && INSIDE.has(phase)) return; // the turn has not ended
    this.skipTurn();
    this.parted = positionOf(this.replay.game, true) !== positionOf(this.game, true);
  }

  /** Skips the recorded turn of the player's seat. */
  private skipTurn(): void {
    const { steps } = this.replay.hand;
    const turn = steps[this.replay.at]?.turn;
    while (steps[this.replay.at]?.turn === turn && this.replay.step());
  }

  close(): void {
    this.replay.close();
  }
}
