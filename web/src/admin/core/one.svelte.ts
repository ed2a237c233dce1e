/* One thing that is looked at: what is known of it, and what went wrong when it was asked for. */
import { Task } from '$lib/ui/task.svelte';

export class One<T> {
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

  /** After an act: what the server answered is how it is now. */
  keep = (value: T): void => {
    this.value = value;
  };
}
