/* A paginated list: its items, whether there are more, and the error if there is one. */
import { sentence } from '$lib/api/problem';

export interface Chunk<T> {
  items: T[];
  next?: string | null;
}

/** Loads a short list completely, 100 items at a time. */
export async function everything<T>(
  fetch: (query: { cursor?: string; limit: number }) => Promise<Chunk<T>>,
): Promise<T[]> {
  const all: T[] = [];
  let cursor: string | undefined;
  do {
    const got: Chunk<T> = await fetch({ limit: 100, ...(cursor === undefined ? {} : { cursor }) });
    all.push(...got.items);
    cursor = got.next ?? undefined;
  } while (cursor !== undefined);
  return all;
}

export class Paged<T> {
  items = $state.raw<T[]>([]);
  next = $state<string | null>(null);
  loaded = $state(false);
  busy = $state(false);
  problem = $state('');
  /** The error behind `problem`; null if there is none. */
  error = $state.raw<unknown>(null);
  private asked = 0;

  /** `fetch` gets the query of the next page, which is empty for the first page. */
  constructor(private readonly fetch: (query: { cursor?: string }) => Promise<Chunk<T>>) {}

  /** Loads the list from the beginning. `clear`: the filter has changed. */
  async first(clear = false): Promise<void> {
    if (clear) {
      this.items = [];
      this.next = null;
      this.loaded = false;
    }
    await this.ask(null);
  }

  async more(): Promise<void> {
    if (this.next !== null && !this.busy) await this.ask(this.next);
  }

  /** Retries the page that failed. */
  async again(): Promise<void> {
    await this.ask(this.loaded ? this.next : null);
  }

  private async ask(cursor: string | null): Promise<void> {
    const mine = ++this.asked;
    this.busy = true;
    this.problem = '';
    this.error = null;
    try {
      const got = await this.fetch(cursor === null ? {} : { cursor });
      if (mine !== this.asked) return; // another list was requested meanwhile
      this.items = cursor === null ? got.items : [...this.items, ...got.items];
      this.next = got.next ?? null;
      this.loaded = true;
    } catch (error) {
      if (mine !== this.asked) return;
      this.error = error;
      this.problem = sentence(error);
    } finally {
      if (mine === this.asked) this.busy = false;
    }
  }
}
