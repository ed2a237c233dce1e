/* What a browser still knows when nobody is signed in. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

const kept = new Map<string, string>();

beforeEach(() => {
  kept.clear();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => {
      kept.set(key, value);
      Object.assign(storage, { [key]: value });
    },
    removeItem: (key: string) => {
      kept.delete(key);
      Reflect.deleteProperty(storage, key);
    },
  };
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('location', { origin: 'http://h' });
});
afterEach(() => vi.unstubAllGlobals());

it('forgets the tokens and the cards of a hand at a sign-out, not the device', async () => {
  const { session } = await import('./session.svelte');
  for (const key of ['hand:7', 'hand:8', 'device_secret', 'device_token'])
    localStorage.setItem(`rummyd:${key}`, '"kept"');
  localStorage.setItem('rummyd:session', JSON.stringify({ access: 'a', renewAt: 0, refresh: '' }));
  await session.leave();
  expect([...kept.keys()]).toEqual(['rummyd:device_secret', 'rummyd:device_token']);
});
