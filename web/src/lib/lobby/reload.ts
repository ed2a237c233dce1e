/* When to reload data that changes by itself: soon after the lobby reports a change, with a minimum
 * interval between reloads; and periodically, because some changes are not reported and reports may be
 * lost. */

/** Shortest interval between reloads after reports. */
export const REPORT_MS = 3_000;
/** Periodic reload interval if some changes are not reported. */
export const HEAL_MS = 10_000;
/** The same if every change is reported. */
export const STEADY_MS = 30_000;

export class Reloader {
  private last = -Infinity;
  private healing: ReturnType<typeof setInterval> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;

  /** `heals`: the current reload interval without reports. */
  constructor(
    private readonly read: () => void,
    private readonly heals: () => number,
  ) {}

  start(): void {
    this.now();
    this.healing = setInterval(() => {
      if (Date.now() - this.last >= this.heals()) this.now();
    }, HEAL_MS);
  }

  stop(): void {
    clearInterval(this.healing);
    clearTimeout(this.later);
  }

  now(): void {
    clearTimeout(this.later);
    this.later = undefined;
    this.last = Date.now();
    this.read();
  }

  /** Called for each report. Simultaneous reports cause one reload. */
  told(): void {
    const wait = this.last + REPORT_MS - Date.now();
    if (wait <= 0) this.now();
    else this.later ??= setTimeout(() => this.now(), wait);
  }
}
