/* Something that is done at a click: whether it is under way, and what it came back with. */
import { untrack } from 'svelte';

export class Task {
  #running = $state(0);
  /** What the last try came back with; null when it went well. */
  error = $state.raw<unknown>(null);

  get busy(): boolean {
    return this.#running > 0;
  }

  /** Does it; whether it went well. What is thrown is kept, not passed on. */
  async run(work: () => Promise<unknown>): Promise<boolean> {
    this.#running = untrack(() => this.#running) + 1; // an effect that begins it does not hang on it
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
