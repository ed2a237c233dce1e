/* One item: its data, and the error if loading failed. */
import { Task } from '$lib/ui/task.svelte';

export class Item<T> {
  value = $state.raw<T | null>(null);
  readonly task = new Task();

  constructor(private readonly fetch: () => Promise<T>) {
    void this.read();
  }

  async read(): Promise<void> {
    await this.task.run(async () => {
      this.value = await this.fetch();
    });
  }

  /** Called after an action: the server's response is the current state of the item. */
  keep = (value: T): void => {
    this.value = value;
  };
}
