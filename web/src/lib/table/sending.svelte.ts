/* A pending command: whether its reply is slow. */

/** Time after which the player is informed about a slow reply. */
const LONG_MS = 1500;

export class Sending {
  /** The reply is slow. */
  long = $state(false);

  /** Follows one command to its reply. */
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
