/* Whether the reply to a pending command is slow. */

/** A reply that takes longer than this is reported to the player as slow. */
const LONG_MS = 1500;

export class Sending {
  /** The reply is slow. */
  long = $state(false);

  /** Tracks one command until its reply. */
  async follow<T>(answer: Promise<T>): Promise<T> {
    const timer = setTimeout(() => (this.long = true), LONG_MS);
    try {
      return await answer;
    } finally {
      clearTimeout(timer);
      this.long = false;
    }
  }
}
