/* The player's clock at a table in this browser: it restarts with each of their turns. */
import type { View } from '@rummyd/engine';
import type { ServerFrame } from '@rummyd/client';
import type { ConnectionReceiver } from '$lib/table/connection';

export class TurnClock {
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The turn for which the clock is running; '': stopped. */
  private turn = '';
  private endsAt = 0;

  constructor(
    private readonly turnMs: number,
    private readonly me: number,
    private readonly end: ConnectionReceiver,
    private readonly over: () => void,
  ) {}

  /** Called after every change. Starts and stops the clock with the player's turn. Bots play for an absent
   * player. */
  watch({ hand_no, phase, to_move, seats }: View): void {
    const own = seats[this.me];
    const mine = to_move === this.me && ['draw', 'play'].includes(phase) && !own?.away;
    const turn = mine ? `${hand_no} ${own?.round}` : '';
    if (turn === this.turn) return;
    this.stop();
    this.turn = turn;
    if (!mine) return;
    this.endsAt = Date.now() + this.turnMs;
    this.timer = setTimeout(() => {
      this.turn = '';
      this.over();
    }, this.turnMs);
    this.tell();
  }

  /** Reports the time left if the clock is running. */
  tell(): void {
    if (this.turn === '') return;
    const d = { seat: this.me, ms_left: Math.max(0, this.endsAt - Date.now()), turn_ms: this.turnMs };
    this.end.frame({ t: 'clock', d } as ServerFrame);
  }

  stop(): void {
    clearTimeout(this.timer);
    this.turn = '';
  }
}
