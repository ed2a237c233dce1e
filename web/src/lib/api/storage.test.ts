/* However a browser's storage fails, the values of this visit remain. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';

const refuse = () => {
  throw new DOMException('denied', 'SecurityError');
};
const full = () => {
  throw new DOMException('full', 'QuotaExceededError');
};

/** A working storage; `items` are its values. */
function working(items: Record<string, string> = {}) {
  const hidden = (name: string) => ({ enumerable: false, value: methods[name as keyof typeof methods] });
  const methods = {
    getItem: (key: string) => items[key] ?? null,
    setItem: (key: string, text: string) => void (items[key] = text),
    removeItem: (key: string) => void Reflect.deleteProperty(items, key),
  };
  return Object.defineProperties(
    items,
    Object.fromEntries(Object.keys(methods).map((name) => [name, hidden(name)])),
  ) as unknown as Storage & typeof methods;
}
const overridden = (storage: Storage, methods: object) =>
  new Proxy(storage, { get: (own, name) => Reflect.get(name in methods ? methods : own, name) });

const FAILURES: Record<string, () => void> = {
  'no storage at all': () => {
    for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, undefined);
  },
  'null storage': () => {
    for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, null);
  },
  'a getter that throws': () => {
    for (const name of ['localStorage', 'sessionStorage'])
      Object.defineProperty(globalThis, name, { configurable: true, get: refuse });
  },
  'methods that throw': () => {
    const broken = { getItem: refuse, setItem: refuse, removeItem: refuse };
    for (const name of ['localStorage', 'sessionStorage']) vi.stubGlobal(name, broken);
  },
  'full storage': () => {
    for (const name of ['localStorage', 'sessionStorage'])
      vi.stubGlobal(name, overridden(working({ 'rummyd:session': '"old"' }), { setItem: full }));
  },
  'full storage that cannot be cleared': () => {
    const methods = { setItem: full, removeItem: refuse };
    for (const name of ['localStorage', 'sessionStorage'])
      vi.stubGlobal(name, overridden(working({ 'rummyd:session': '"old"' }), methods));
  },
  'dropped writes': () => {
    for (const name of ['localStorage', 'sessionStorage'])
      vi.stubGlobal(name, overridden(working(), { setItem: () => undefined }));
  },
};

beforeEach(() => vi.resetModules());
afterEach(() => {
  vi.unstubAllGlobals();
  for (const name of ['localStorage', 'sessionStorage']) Reflect.deleteProperty(globalThis, name);
});

describe.each(Object.entries(FAILURES))('with %s', (_, fail) => {
  beforeEach(fail);

  it.each(['local', 'session'] as const)('remembers and forgets a %s value', async (kept) => {
    const { load, save } = await import('./storage');
    save('session', { access: 'a' }, kept);
    expect(load('session', null, kept)).toEqual({ access: 'a' });
    save('session', { access: 'b' }, kept);
    expect(load('session', null, kept)).toEqual({ access: 'b' });
    save('session', null, kept);
    expect(load('session', null, kept)).toBe(null);
  });

  it('prunes', async () => {
    const { load, prune, save } = await import('./storage');
    for (const id of [9, 10, 11]) save(`hand:${id}`, id);
    prune('hand:', 2);
    expect([9, 10, 11].map((id) => load(`hand:${id}`, null))).toEqual([null, 10, 11]);
  });

  it('signs the calls of a guest', async () => {
    vi.stubGlobal('location', { origin: 'http://h' });
    const signed: (string | null)[] = [];
    const answers: Record<string, object> = {
      '/v1/auth/guest': { access_token: 'A', refresh_token: 'R', expires_in: 900, player: { id: '1' } },
      '/v1/wallet': { bonus: { due: false } },
    };
    vi.stubGlobal('fetch', async (request: Request) => {
      signed.push(request.headers.get('Authorization'));
      return Response.json(answers[new URL(request.url).pathname]);
    });
    const { session } = await import('./session.svelte');
    await session.guest('Ana');
    expect(signed).toEqual([null, 'Bearer A']);
  });
});

it('leaves no old value behind when a new one does not fit', async () => {
  const storage = overridden(working({ 'rummyd:session': '"old"' }), { setItem: full });
  vi.stubGlobal('localStorage', storage);
  const { load, save } = await import('./storage');
  save('session', 'new');
  expect([load('session', null), storage.getItem('rummyd:session')]).toEqual(['new', null]);
});

it('takes what another tab stored later', async () => {
  const storage = working();
  vi.stubGlobal('localStorage', overridden(storage, { setItem: full }));
  const { load, save } = await import('./storage');
  save('session', 'mine');
  storage.setItem('rummyd:session', '"theirs"');
  expect(load('session', null)).toBe('theirs');
});

it('renews the session where the browser refuses locks', async () => {
  vi.stubGlobal('navigator', {
    locks: { request: () => Promise.reject(new DOMException('', 'SecurityError')) },
  });
  vi.stubGlobal('fetch', async () =>
    Response.json({ access_token: 'B', refresh_token: 'S', expires_in: 900 }),
  );
  const { tokens } = await import('./tokens');
  tokens.keep({ access_token: 'A', refresh_token: 'R', expires_in: 0 });
  expect(await tokens.access()).toBe('B');
});

it.each<[string, (storage: Storage) => void]>([
  ['cleared', (storage) => storage.removeItem('rummyd:session')],
  ['blocked', FAILURES['a getter that throws'] as () => void],
  ['refused', FAILURES['methods that throw'] as () => void],
  ['full', (storage) => vi.stubGlobal('localStorage', overridden(storage, { setItem: full }))],
])('keeps the session when storage is %s while the page is open', async (_, lose) => {
  const storage = working();
  vi.stubGlobal('localStorage', storage);
  let answers = 0;
  vi.stubGlobal('fetch', async () =>
    Response.json({ access_token: `B${++answers}`, refresh_token: 'S', expires_in: 900 }),
  );
  const { tokens } = await import('./tokens');
  tokens.keep({ access_token: 'A', refresh_token: 'R', expires_in: 900 });
  lose(storage);
  expect([await tokens.access(), await tokens.access('A')]).toEqual(['A', 'B1']);
  expect(await tokens.access()).toBe('B1');
  tokens.drop();
  expect(await tokens.access()).toBe(null);
});
