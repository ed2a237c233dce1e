/* Leads a newcomer through a scripted hand, one step at a time. Other moves are refused with a friendly
 * message. */
import type { Move } from '@rummyd/engine';
import type { Lead } from '$lib/local/connection';
import { isWanted, type Script, type Step } from './script';

export class Guide implements Lead {
  /** Index of the next step. */
  at = $state(0);
  /** Whether the player tried another move in this step. */
  astray = $state(false);
  /** Index of the bot's next move. */
  private botAt = 0;

  constructor(
    readonly script: Script,
    /** The player's seat. */
    private readonly me = 0,
  ) {}

  /** null: all steps are done. */
  get step(): Step | null {
    return this.script.steps[this.at] ?? null;
  }

  /** After the last step, any move is allowed, because a session may have more hands. */
  allows(move: Move): boolean {
    const wanted = this.step === null || isWanted(move, this.step.want);
    this.astray = !wanted;
    return wanted;
  }

  botMove(): Move | null {
    return this.script.bot[this.botAt++] ?? null;
  }

  moved(seat: number): void {
    if (seat !== this.me) return;
    this.at++;
    this.astray = false;
  }
}
