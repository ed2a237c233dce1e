import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { askEarly, sendOrTakeEarly } from './early';

const ORIGIN = 'http://h';
const sent: string[] = [];
let fails = false;

function keep(session: object | null): void {
  vi.stubGlobal('localStorage', { getItem: () => (session ? JSON.stringify(session) : null) });
}

const asked = (path: string, token = 'good', method = 'GET') =>
  sendOrTakeEarly(new Request(ORIGIN + path, { method, headers: { Authorization: `Bearer ${token}` } }));

beforeEach(() => {
  sent.length = 0;
  fails = false;
  vi.useFakeTimers();
  vi.stubGlobal('location', { origin: ORIGIN });
  vi.stubGlobal('fetch', async (to: string | Request) => {
    sent.push(typeof to === 'string' ? 'early' : 'late');
    if (fails && typeof to === 'string') throw new TypeError('no line');
    return new Response(sent.at(-1));
  });
  keep({ access: 'good', renewAt: Date.now() + 60_000, refresh: 'r' });
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it('an early answer is given to who asks the same, once', async () => {
  askEarly('GET', '/v1/me');
  expect(await (await asked('/v1/me')).text()).toBe('early');
  expect(await (await asked('/v1/me')).text()).toBe('late');
});

it.each([
  ['another path', () => asked('/v1/wallet')],
  ['another query', () => asked('/v1/me?x=1')],
  ['another method', () => asked('/v1/me', 'good', 'DELETE')],
  ['somebody else', () => asked('/v1/me', 'fresh')],
])('%s is asked by itself', async (_, ask) => {
  askEarly('GET', '/v1/me');
  expect(await (await ask()).text()).toBe('late');
  await asked('/v1/me'); // uses up the early response
});

it('one that did not get through is asked again', async () => {
  fails = true;
  askEarly('GET', '/v1/me');
  expect(await (await asked('/v1/me')).text()).toBe('late');
});

it('an answer that lay around is no news', async () => {
  askEarly('GET', '/v1/me');
  vi.advanceTimersByTime(16_000);
  expect(await (await asked('/v1/me')).text()).toBe('late');
});

it('without a good token nothing is asked', () => {
  keep(null);
  askEarly('GET', '/v1/me');
  keep({ access: 'old', renewAt: Date.now() - 1, refresh: 'r' });
  askEarly('GET', '/v1/me');
  expect(sent).toEqual([]);
});
