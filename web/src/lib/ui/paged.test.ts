import { describe, expect, it } from 'vitest';
import { everything, Paged, type Chunk } from './paged.svelte';

const PAGES: Record<string, Chunk<number>> = {
  '': { items: [1, 2], next: 'b' },
  b: { items: [3], next: 'c' },
  c: { items: [4], next: null },
};
const fetched = (asked: string[]) => (query: { cursor?: string }) => {
  asked.push(query.cursor ?? '');
  return Promise.resolve(PAGES[query.cursor ?? ''] ?? { items: [] });
};

describe('a list by pages', () => {
  it('is had whole', async () => {
    const asked: string[] = [];
    expect(await everything(fetched(asked))).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual(['', 'b', 'c']);
  });

  it('grows until there is no more', async () => {
    const asked: string[] = [];
    const list = new Paged(fetched(asked));
    expect(list.loaded).toBe(false);
    await list.first();
    await list.more();
    await list.more();
    await list.more();
    expect(list.items).toEqual([1, 2, 3, 4]);
    expect(asked).toEqual(['', 'b', 'c']);
    expect([list.loaded, list.busy, list.next]).toEqual([true, false, null]);
  });

  it('begins again, and takes no answer to an older question', async () => {
    const answers: ((part: Chunk<number>) => void)[] = [];
    const list = new Paged<number>(() => new Promise((done) => answers.push(done)));
    const older = list.first();
    const newer = list.first(true);
    answers[1]?.({ items: [7] });
    await newer;
    answers[0]?.({ items: [1, 2], next: 'b' });
    await older;
    expect([list.items, list.next]).toEqual([[7], null]);
  });

  it('shows the error and retries the same page', async () => {
    let fail = true;
    const list = new Paged((query: { cursor?: string }) =>
      query.cursor && fail ? Promise.reject(new Error('No way.')) : fetched([])(query),
    );
    await list.first();
    await list.more();
    expect([list.items, list.problem, list.busy]).toEqual([[1, 2], 'No way.', false]);
    fail = false;
    await list.again();
    expect([list.items, list.problem]).toEqual([[1, 2, 3], '']);
  });
});
