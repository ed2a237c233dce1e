/* An action started by a click: whether it is running, and its error. */
import { untrack } from 'svelte';

export class Task {
  #running = $state(0);
  /** Error of the last attempt; null if it succeeded. */
  error = $state.raw<unknown>(null);

  get busy(): boolean {
    return this.#running > 0;
  }

  /** Runs the action and returns whether it succeeded. Errors are stored, not thrown. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.#running = untrack(() => this.#running) + 1; // an effect that starts the task must not depend on its state
    this.error = null;
    try {
      await work();
      return true;
    } catch (thrown) {
      this.error = thrown;
      return false;
    } finally {
      this.#running--;
    }
  }
}
