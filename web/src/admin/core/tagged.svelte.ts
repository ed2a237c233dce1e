/* A list of editable items: it remembers the ETag of what was loaded, so that no one overwrites a change that
 * they have not seen. */
import { Paged } from '$lib/ui/paged.svelte';
import { need } from './operator.svelte';
import { word } from './words';

interface Tagged<T> {
  data?: { items: T[] };
  error?: unknown;
  response: Response;
}
type Fetch<T> = (tag: string | null) => Promise<Tagged<T>>;

const NOT_MODIFIED = 304;

export class TaggedList<T> {
  readonly list: Paged<T>;
  #tag: string | null = null;

  constructor(private readonly fetch: Fetch<T>) {
    this.list = new Paged<T>(async () => {
      const answer = await this.fetch(null);
      const got = await need(Promise.resolve(answer));
      this.#tag = answer.response.headers.get('ETag');
      return { items: got.items };
    });
    void this.list.first();
  }

  /** Makes a change. If someone else changed the item meanwhile, it is reloaded for review instead. */
  async change<R>(work: () => Promise<R>): Promise<R> {
    const { response } = await this.fetch(this.#tag);
    if (response.status !== NOT_MODIFIED) {
      await this.list.first();
      throw new Error(word('edit.changed'));
    }
    const done = await work();
    void this.list.first();
    return done;
  }
}
