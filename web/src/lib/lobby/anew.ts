/* When something is read anew that changes by itself: at once when the lobby tells of it, though that may be often; now and then in any
 * case, for not everything is told, and what is told may be lost. */

/** As often it is read for being told of. */
export const TOLD_MS = 3_000;
/** What nobody has told of is seen after so long, */
export const HEAL_MS = 10_000;
/** and after so long where all is told. */
export const STEADY_MS = 30_000;

export class Anew {
  private last = -Infinity;
  private healing: ReturnType<typeof setInterval> | undefined;
  private later: ReturnType<typeof setTimeout> | undefined;

  /** `heals`: after how long it is read untold, as things are. */
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

  /** Several that come at once are one. */
  told(): void {
    const wait = this.last + TOLD_MS - Date.now();
    if (wait <= 0) this.now();
    else this.later ??= setTimeout(() => this.now(), wait);
  }
}
