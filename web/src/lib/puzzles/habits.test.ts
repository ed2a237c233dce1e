/* If a worker cannot be loaded, its games remain unjudged, and the player can try again. */
import { afterEach, expect, it, vi } from 'vitest';
import { Habits } from './habits.svelte';

vi.mock('$lib/api/client', () => ({
  api: {
    GET: async (path: string) =>
      path === '/v1/games'
        ? { items: [{ id: '7', took_part: true, hidden: false }] }
        : { results: [{ player_id: '42', seat: 1 }] },
  },
  need: async (answer: Promise<unknown>) => answer,
  gameRecord: async () => 'record',
  sentence: (error: Error) => error.message,
}));

let fails = true;
class Slow {
  onmessage: ((event: { data: unknown }) => void) | null = null;
  onerror: ((event: Event) => void) | null = null;
  postMessage() {
    const costs = { hands: 3, sums: {} };
    setTimeout(() => (fails ? this.onerror?.(new Event('error')) : this.onmessage?.({ data: costs })));
  }
  terminate() {
    this.onmessage = this.onerror = null; // a terminated worker sends nothing
  }
}

afterEach(() => vi.unstubAllGlobals());

it('judges the games after a worker that failed', async () => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
  vi.stubGlobal('Worker', Slow);
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no line')));
  const habits = new Habits('42');
  await habits.look();
  await habits.judge();
  expect([habits.busy, habits.judged, habits.problem !== '', kept.size]).toEqual([false, 0, true, 0]);
  fails = false;
  await habits.judge();
  expect([habits.busy, habits.judged, habits.problem]).toEqual([false, 1, '']);
});
