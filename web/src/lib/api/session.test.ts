/* Tests what a browser still stores when no one is signed in. */
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

/** Opens a page with this kind of session and these server responses. */
async function opened(kind: string | null, answer: () => Promise<Response>) {
  localStorage.setItem('rummyd:session', JSON.stringify({ access: 'a', renewAt: 0, refresh: 'r' }));
  if (kind) localStorage.setItem('rummyd:account_kind', JSON.stringify(kind));
  vi.stubGlobal('fetch', answer);
  vi.resetModules();
  const { session } = await import('./session.svelte');
  await session.start();
  return session;
}

const refusal = (status: number) => () => Promise.resolve(Response.json({ code: 'no' }, { status }));

it.each([
  ['registered', 401, 'registered'],
  ['guest', 401, 'guest'],
  [null, 401, 'registered'],
  ['registered', 403, 'registered'],
])('remembers that the session of a %s account was ended by %i', async (kind, status, lapsed) => {
  const session = await opened(kind, refusal(status));
  expect([session.ready, session.me, session.lapsed]).toEqual([true, null, lapsed]);
  expect(kept.get('rummyd:session')).toBe(undefined);
  vi.resetModules();
  const again = (await import('./session.svelte')).session;
  await again.start();
  expect(again.lapsed, 'after a reload').toBe(lapsed);
  await again.leave();
  expect(kept.get('rummyd:account_kind'), 'of whoever was signed in').toBe(undefined);
});

it('stays ended when answers from before its end arrive', async () => {
  const renewAt = Date.now() + 1e6;
  localStorage.setItem('rummyd:session', JSON.stringify({ access: 'a', renewAt, refresh: 'r' }));
  const late: (() => void)[] = [];
  const answers: Record<string, object> = {
    '/v1/me': { id: '42', kind: 'guest' },
    '/v1/wallet': { bonus: { due: false } },
  };
  vi.stubGlobal('fetch', async (request: Request) => {
    await new Promise<void>((go) => late.push(go));
    return Response.json(answers[new URL(request.url).pathname]);
  });
  vi.resetModules();
  const { session } = await import('./session.svelte');
  const reloaded = session.reload();
  await vi.waitFor(() => expect(late).toHaveLength(2));
  (await import('./tokens')).tokens.drop(); // as after a rejected request
  late.forEach((go) => go());
  await reloaded;
  expect([session.me, session.wallet]).toEqual([null, null]);
});

it('a session that was signed out has not lapsed', async () => {
  localStorage.setItem('rummyd:session', JSON.stringify({ access: 'a', renewAt: 0, refresh: '' }));
  vi.resetModules();
  const { session } = await import('./session.svelte');
  await session.leave();
  expect(session.lapsed).toBe(null);
});

it('follows what other tabs learn', async () => {
  const session = await opened('registered', refusal(401));
  localStorage.setItem('rummyd:session_lapsed', '"guest"');
  session.follow({ key: 'rummyd:session_lapsed', newValue: '"guest"' } as StorageEvent);
  expect(session.lapsed).toBe('guest');
  session.me = { id: '42' } as NonNullable<typeof session.me>;
  session.follow({ key: 'rummyd:other', newValue: null } as StorageEvent);
  expect(session.me).not.toBe(null);
  session.follow({ key: 'rummyd:session', newValue: null } as StorageEvent);
  expect(session.me).toBe(null);
});

it('signs no more calls after a sign-out in another tab', async () => {
  const answers: Record<string, object> = { '/v1/me': { id: '42' }, '/v1/wallet': { bonus: { due: false } } };
  const renewAt = Date.now() + 1e6;
  localStorage.setItem('rummyd:session', JSON.stringify({ access: 'a', renewAt, refresh: 'r' }));
  vi.stubGlobal('fetch', async (request: Request) => Response.json(answers[new URL(request.url).pathname]));
  vi.resetModules();
  const { session } = await import('./session.svelte');
  const { tokens } = await import('./tokens');
  await session.start();
  expect([session.me?.id, await tokens.access()]).toEqual(['42', 'a']);
  localStorage.removeItem('rummyd:session');
  session.follow({ key: 'rummyd:session', newValue: null } as StorageEvent);
  expect([session.me, await tokens.access()]).toEqual([null, null]);
});
