/* A command on its way: whether its answer is long in coming. */

/** So long an answer may take before the player is told that it is waited for. */
const LONG_MS = 1500;

export class Sending {
  /** The answer is long in coming. */
  long = $state(false);

  /** Follows one command to its answer. */
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
