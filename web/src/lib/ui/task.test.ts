import { describe, expect, it } from 'vitest';
import { Task } from './task.svelte';

/** Work that ends on command, successfully or with an error. */
function held() {
  let end: (thrown?: Error) => void = () => undefined;
  const ended = new Promise<string>((resolve, reject) => {
    end = (thrown) => (thrown ? reject(thrown) : resolve('done'));
  });
  return { work: () => ended, end };
}

describe('a task', () => {
  it('is busy while it runs, and says whether it went well', async () => {
    const task = new Task();
    const { work, end } = held();
    expect(task.busy).toBe(false);
    const done = task.run(work);
    expect(task.busy).toBe(true);
    end();
    expect(await done).toBe(true);
    expect([task.busy, task.error]).toEqual([false, null]);
  });

  it('keeps what was thrown until the next try', async () => {
    const task = new Task();
    const why = new Error('no');
    expect(await task.run(() => Promise.reject(why))).toBe(false);
    expect([task.busy, task.error]).toEqual([false, why]);
    const { work, end } = held();
    const again = task.run(work);
    expect(task.error).toBe(null);
    end();
    await again;
  });

  it('is busy until all of it is done', async () => {
    const task = new Task();
    const [one, two] = [held(), held()];
    const runs = [task.run(one.work), task.run(two.work)];
    one.end(new Error('no'));
    await runs[0];
    expect(task.busy).toBe(true);
    two.end();
    await runs[1];
    expect(task.busy).toBe(false);
  });

  it('takes what throws at once, too', async () => {
    const task = new Task();
    const why = new TypeError('no');
    await task.run(() => {
      throw why;
    });
    expect(task.error).toBe(why);
  });
});
