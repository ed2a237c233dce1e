/* Leads a newcomer through a scripted hand: one step at a time, other moves are held back with a kind word. */
import type { Move } from '@rummyd/engine';
import type { Lead } from '$lib/local/line';
import { isWanted, type Script, type Step } from './script';

export class Guide implements Lead {
  /** Of the steps, the one that is next. */
  at = $state(0);
  /** Another move was tried in this step. */
  astray = $state(false);
  /** A bot's turn stands between this step and the player. */
  private botAt = 0;

  constructor(
    readonly script: Script,
    /** The person's seat. */
    private readonly me = 0,
  ) {}

  /** null: all is done. */
  get step(): Step | null {
    return this.script.steps[this.at] ?? null;
  }

  /** Behind the last step everything goes: a session may have more hands. */
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
