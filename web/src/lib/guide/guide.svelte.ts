/* Leads a newcomer through a scripted hand, one step at a time; other moves are held back with a friendly
 * message. */
import type { Move } from '@rummyd/engine';
import type { Lead } from '$lib/local/connection';
import { isWanted, type Script, type Step } from './script';

export class Guide implements Lead {
  /** Index of the next step. */
  at = $state(0);
  /** Another move was tried in this step. */
  astray = $state(false);
  /** A bot's turn comes between this step and the player. */
  private botAt = 0;

  constructor(
    readonly script: Script,
    /** The player's seat. */
    private readonly me = 0,
  ) {}

  /** null: all is done. */
  get step(): Step | null {
    return this.script.steps[this.at] ?? null;
  }

  /** After the last step any move is allowed: a session may have more hands. */
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
