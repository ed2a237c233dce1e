/* How long a socket waits before its next try. A line that is down is tried again and again, for it costs nobody anything
 * and the player waits; a server in trouble is asked less and less often. */
import { isHidden } from './page.js';
import { BACK_OFF, CLOSE } from './protocol.js';

/** Tries that reached a server which could not serve them. */
const SERVER_MS = [300, 700, 1000, 2000, 4000];
/** Tries that reached nobody, while somebody looks at the page: within a second of its return the player is back. With its
 *  spread the longest wait is 750 ms, which leaves the rest for a ticket, the handshake and what is shown. */
const LINE_MS = [300, 600, 600];
const LINE_LONG_MS = 3000;
const LINE_LONG_AFTER_MS = 60_000;
/** The server had too much of us: so long we are quiet. */
const FLOODED_MS = 10_000;

const spread = () => 0.75 + Math.random() / 2;
const step = (list: readonly number[], n: number) => list[Math.min(n, list.length - 1)] ?? 1000;

export class Waits {
  /** Tries since something was heard. */
  tries = 0;
  /** Connections in a row that the server could not keep, and since when there is one. */
  private failures = 0;
  private openedAt = 0;
  /** When the first of the tries was. */
  private since = 0;
  /** As the server says it, for the next try alone. */
  private told: number | null = null;
  /** The server has said how long the wait is that runs now. */
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

  /** There is a reason to hope: the next waits are short again. */
  afresh(): void {
    this.tries = Math.min(this.tries, 1);
    this.since = Date.now();
  }

  /** The server says how long, ms. */
  tell(ms: number): void {
    this.told = ms;
  }

  /** A connection ended; after some codes it is asked less and less often, as the contract says. */
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

  /** Before the next try, ms. reached: the last one found the server. */
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
