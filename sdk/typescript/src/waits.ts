/* How long a socket waits before its next attempt. If the network is down it retries constantly, because that
 * costs no one anything and the player waits; a server in trouble gets fewer and fewer attempts. */
import { isHidden } from './page.js';
import { BACK_OFF, CLOSE } from './protocol.js';

/** Attempts that reached a server which could not serve them. */
const SERVER_MS = [300, 700, 1000, 2000, 4000];
/** Attempts that reached no server, while the page is visible: the player is back within 1 s of its return.
 * With jitter the longest wait is 750 ms, which leaves the rest for a ticket, the handshake, and drawing. */
const LINE_MS = [300, 600, 600];
const LINE_LONG_MS = 3000;
const LINE_LONG_AFTER_MS = 60_000;
/** The server limited our rate: wait this long. */
const FLOODED_MS = 10_000;

const spread = () => 0.75 + Math.random() / 2;
const step = (list: readonly number[], n: number) => list[Math.min(n, list.length - 1)] ?? 1000;

export class Waits {
  /** Attempts since the last response. */
  tries = 0;
  /** Consecutive connections that the server could not keep, and since when there is one. */
  private failures = 0;
  private openedAt = 0;
  /** When the first of the attempts was. */
  private since = 0;
  /** From the server, for the next attempt only. */
  private told: number | null = null;
  /** The server set the current wait. */
  ordered = false;

  opened(): void {
    this.openedAt = Date.now();
  }

  heard(): void {
    this.tries = 0;
    this.ordered = false;
  }

  failed(): void {
    if (this.tries++ === 0) this.since = Date.now();
  }

  /** There is a reason for hope: the next waits are short again. */
  afresh(): void {
    this.tries = Math.min(this.tries, 1);
    this.since = Date.now();
  }

  /** The server sets the wait, in ms. */
  tell(ms: number): void {
    this.told = ms;
  }

  /** A connection ended; after some codes the waits grow, as the contract requires. */
  closed(code: number): { ordered: boolean } {
    if (Date.now() - this.openedAt >= BACK_OFF.reset_ms) this.failures = 0;
    if (code === CLOSE.FLOODING) this.told = FLOODED_MS * spread();
    if (BACK_OFF.codes.some((c) => c === code)) {
      const wait = Math.min(BACK_OFF.first_ms * BACK_OFF.factor ** this.failures, BACK_OFF.most_ms);
      this.failures++;
      this.told = wait * spread();
    }
    return { ordered: this.told !== null };
  }

  /** Wait before the next attempt, in ms. reached: the last one reached the server. */
  next(reached: boolean): number {
    const wait = this.told ?? this.usual(reached) * spread();
    this.ordered = this.told !== null;
    this.told = null;
    this.failed();
    return wait;
  }

  private usual(reached: boolean): number {
    if (reached || isHidden()) return step(SERVER_MS, this.tries);
    return this.tries > 0 && Date.now() - this.since > LINE_LONG_AFTER_MS
      ? LINE_LONG_MS
      : step(LINE_MS, this.tries);
  }
}
