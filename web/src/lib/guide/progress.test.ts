/* The path of a game: stored progress, and the next stage. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { keyOf } from '$lib/api/storage';

const KEY = keyOf('learned');

async function fresh() {
  vi.resetModules();
  return (await import('./progress.svelte')).progress;
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, text: string) => void kept.set(key, text),
    removeItem: (key: string) => void kept.delete(key),
  });
});

describe('progress', () => {
  it('leads from stage to stage, and is kept across reloads', async () => {
    let progress = await fresh();
    expect(progress.next('points')).toBe('guide');
    progress.add('points', 'guide');
    progress.add('points', 'guide');
    progress.add('points', 'drop');
    progress = await fresh();
    expect(progress.count('points')).toBe(2);
    expect(progress.next('points', 'drop')).toBe('game');
    expect(progress.next('points', 'game')).toBe('pure');
    expect(progress.count('rami')).toBe(0);
    progress.add('points', 'pure');
    expect(progress.whole('points')).toBe(false);
    progress.add('points', 'game');
    expect(progress.whole('points')).toBe(true);
    expect(progress.next('points')).toBeNull();
  });

  it.each(['null', '[]', '7', '{"points":"guide"}', '{"points":["jokers","constructor"]}', '{'])(
    'takes %s for nothing',
    async (spoilt) => {
      localStorage.setItem(KEY, spoilt);
      const progress = await fresh();
      expect(progress.count('points')).toBe(0);
      progress.add('points', 'pure');
      expect(progress.has('points', 'pure')).toBe(true);
    },
  );

  it('knows nothing of a game that has no path', async () => {
    const progress = await fresh();
    expect(progress.whole('constructor')).toBe(false);
    expect(progress.next('constructor')).toBeNull();
  });
});
