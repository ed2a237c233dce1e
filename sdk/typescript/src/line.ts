/* Whether the line of an open socket still carries: it asks, and waits for an answer. Only answers count; what the
 * server says unasked proves nothing of the way to it. When a line is dead stands in the contract (`x-liveness`). */
import { isHidden } from './page.js';
import { LIVENESS } from './protocol.js';

/** So long after an answer the next ping is sent. Whoever looks at the page wants to know soon. */
const PING_MS = { seen: LIVENESS.quiet_ms, hidden: 15_000 };
/** A line that has not answered by then is dead. */
const ANSWER_MS = { seen: LIVENESS.dead_ms - LIVENESS.quiet_ms, hidden: 10_000 };
/** The same where there is a reason to doubt it. */
const DOUBTED_MS = 500;
/** A timer this late slept, and so may have the answer: it is asked again. */
const SLEPT_MS = 1000;

const of = (ms: { seen: number; hidden: number }) => (isHidden() ? ms.hidden : ms.seen);

export class Line {
  /** Asked, and not answered in time. */
  silent = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** ping: sends one. changed: the line fell silent, or it answers after all. */
  constructor(
    private readonly ping: () => void,
    private readonly changed: (silent: boolean) => void,
  ) {}

  /** A socket has opened. */
  open(): void {
    this.silent = false;
    this.rest();
  }

  close(): void {
    this.silent = false;
    clearTimeout(this.timer);
  }

  /** Asks now. doubt: the network changed, or the page slept. */
  ask(doubt = false): void {
    this.ping();
    this.after(doubt ? DOUBTED_MS : of(ANSWER_MS), () => this.unanswered());
  }

  /** The server answered to something. */
  answered(): void {
    this.rest();
    if (!this.silent) return;
    this.silent = false;
    this.changed(false);
  }

  private rest(): void {
    this.after(of(PING_MS), () => this.ask());
  }

  private unanswered(): void {
    if (this.silent) return;
    this.silent = true;
    this.changed(true);
  }

  private after(ms: number, then: () => void): void {
    const due = Date.now() + ms;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => (Date.now() - due > SLEPT_MS ? this.ask() : then()), ms);
  }
}
