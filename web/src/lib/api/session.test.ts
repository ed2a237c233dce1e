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
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it('forgets the tokens and the cards of a hand at a sign-out, not the device', async () => {
  const { session } = await import('./session.svelte');
  for (const key of ['hand:7', 'hand:8', 'device_secret', 'device_token'])
    localStorage.setItem(`rummyd:${key}`, '"kept"');
  localStorage.setItem('rummyd:session', JSON.stringify({ access: 'a', renewAt: 0, refresh: '' }));
  await session.leave();
  expect([...kept.keys()]).toEqual(['rummyd:device_secret', 'rummyd:device_token']);
});

it('ends the session on the server even if the page is left at a sign-out', async () => {
  localStorage.setItem('rummyd:session', JSON.stringify({ access: 'a', renewAt: 0, refresh: 'r' }));
  const sent: [string, boolean][] = [];
  vi.stubGlobal('fetch', (request: Request) => {
    sent.push([new URL(request.url).pathname, request.keepalive]);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
  vi.resetModules();
  const { session } = await import('./session.svelte');
  await session.leave();
  expect(sent).toEqual([['/v1/auth/logout', true]]);
});

it('waits for a server that is not reached, and takes no player for a stranger meanwhile', async () => {
  vi.useFakeTimers();
  localStorage.setItem(
    'rummyd:session',
    JSON.stringify({ access: 'a', renewAt: Date.now() + 1e6, refresh: 'r' }),
  );
  let reached = false;
  const answers: Record<string, object> = { '/v1/me': { id: '42' }, '/v1/wallet': { bonus: { due: false } } };
  vi.stubGlobal('fetch', async (request: Request) => {
    if (!reached) throw new TypeError('Failed to fetch');
    return Response.json(answers[new URL(request.url).pathname]);
  });
  vi.resetModules();
  const { session } = await import('./session.svelte');
  const started = session.start();
  await vi.advanceTimersByTimeAsync(2500);
  expect([session.ready, session.unreached, session.me]).toEqual([false, true, null]);
  reached = true;
  await vi.advanceTimersByTimeAsync(1000);
  await started;
  expect([session.ready, session.unreached, session.me]).toEqual([true, false, { id: '42' }]);
});
