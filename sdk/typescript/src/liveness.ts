/* Detects whether the connection of an open socket still works by sending a ping and waiting for a reply.
 * Only replies count, because unsolicited frames prove nothing about the path to the server. The contract
 * defines when a connection is dead (`x-liveness`). */
import { isHidden } from './page.js';
import { LIVENESS } from './protocol.js';

/** Time between a reply and the next ping. Shorter while the page is visible. */
const PING_MS = { seen: LIVENESS.quiet_ms, hidden: 15_000 };
/** If there is no reply within this time, the connection is dead. */
const ANSWER_MS = { seen: LIVENESS.dead_ms - LIVENESS.quiet_ms, hidden: 10_000 };
/** The same if there is a reason to doubt the connection. */
const DOUBTED_MS = 500;
/** A timer that is this late was suspended. The reply may already be waiting, so send another ping. */
const SLEPT_MS = 1000;

const of = (ms: { seen: number; hidden: number }) => (isHidden() ? ms.hidden : ms.seen);

export class Liveness {
  /** Whether a ping got no reply in time. */
  silent = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  /** ping: sends a ping. changed: called when the connection falls silent, or works after all. */
  constructor(
    private readonly ping: () => void,
    private readonly changed: (silent: boolean) => void,
  ) {}

  /** Called when a socket has opened. */
  open(): void {
    this.silent = false;
    this.rest();
  }

  close(): void {
    this.silent = false;
    clearTimeout(this.timer);
  }

  /** Sends a ping now. doubt: the network changed, or the page was suspended. */
  ask(doubt = false): void {
    this.ping();
    this.after(doubt ? DOUBTED_MS : of(ANSWER_MS), () => this.unanswered());
  }

  /** Called when the server has replied to any frame. */
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
