/* A list whose things are edited: it remembers the tag (ETag) of what was read, so that nobody overwrites what somebody
 * else has changed meanwhile without having seen it. */
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

  /** Does a change, unless what was shown is no longer what is there: then it is read anew, to be looked at. */
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
