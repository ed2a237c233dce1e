/* How long a socket waits before its next attempt. If the network is down, it keeps retrying at short
 * intervals, because that puts no load on the server and the player is waiting. For a server in trouble,
 * the waits increase. */
import { isHidden } from './page.js';
import { BACK_OFF, CLOSE } from './protocol.js';

/** Waits after attempts that reached a server that could not serve them. */
const SERVER_MS = [300, 700, 1000, 2000, 4000];
/** Waits after attempts that reached no server, while the page is visible, so that the player is back
 * within 1 s after the network recovers. With jitter, the longest wait is 750 ms, which leaves the rest for
 * a ticket, the handshake, and drawing. */
const LINE_MS = [300, 600, 600];
const LINE_LONG_MS = 3000;
const LINE_LONG_AFTER_MS = 60_000;
/** Wait after the server has limited our rate. */
const FLOODED_MS = 10_000;

const spread = () => 0.75 + Math.random() / 2;
const step = (list: readonly number[], n: number) => list[Math.min(n, list.length - 1)] ?? 1000;

export class Waits {
  /** Attempts since the last response. */
  tries = 0;
  /** Consecutive connections that the server could not keep, and when the last one was opened. */
  private failures = 0;
  private openedAt = 0;
  /** Time of the first of these attempts. */
  private since = 0;
  /** Wait set by the server, for the next attempt only. */
  private told: number | null = null;
  /** Whether the server set the current wait. */
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

  /** Called if the network may have recovered, so that the next waits are short again. */
  afresh(): void {
    this.tries = Math.min(this.tries, 1);
    this.since = Date.now();
  }

  /** Sets the wait that the server requested, in ms. */
  tell(ms: number): void {
    this.told = ms;
  }

  /** Called when a connection has ended. After some close codes, the waits increase, as the contract
   * requires. */
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

  /** Wait before the next attempt, in ms. reached: whether the last one reached the server. */
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
