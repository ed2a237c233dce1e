import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createRest, idempotencyKey, need } from './rest.js';
import { givenToken, type AccessTokens } from './tokens.js';

let answers: (() => Response)[];
let asked: Request[];

beforeEach(() => {
  vi.useFakeTimers();
  asked = [];
  vi.stubGlobal('fetch', async (request: Request) => {
    asked.push(request);
    const next = answers.shift();
    if (!next) throw new TypeError('no line');
    return next();
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const json = (status: number, body: unknown, headers = {}) =>
  new Response(JSON.stringify(body), { status, headers: { 'Content-Type': 'application/json', ...headers } });
const problem = (status: number, code: string, wait?: number) =>
  json(status, { code, detail: `${code}.` }, wait === undefined ? {} : { 'Retry-After': String(wait) });
const good = () => json(200, { id: '7' });
const keys = () => asked.map((request) => request.headers.get('Idempotency-Key'));

function made(patienceMs: number, tokens: AccessTokens = givenToken('t')) {
  return createRest({ url: 'http://h', tokens, patienceMs });
}
async function settled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  await vi.runAllTimersAsync();
  return promise;
}

describe('a request', () => {
  it('contains the token, and is retried with a new one', async () => {
    const tokens = { access: async (refused?: string | null) => (refused === 'old' ? 'new' : 'old') };
    answers = [() => problem(401, 'token_expired'), good];
    expect(await settled(need(made(0, tokens).GET('/v1/me')))).toEqual({ id: '7' });
    expect(asked.map((r) => r.headers.get('Authorization'))).toEqual(['Bearer old', 'Bearer new']);
  });
  it("sends the player's language, signed in or not", async () => {
    let language = 'de';
    const rest = createRest({ url: 'http://h', tokens: givenToken('t'), language: () => language });
    answers = [good, good];
    await settled(need(rest.GET('/v1/me')));
    language = 'sr-Cyrl';
    await settled(need(rest.POST('/v1/auth/guest', { body: {} })));
    expect(asked.map((r) => r.headers.get('Accept-Language'))).toEqual(['de', 'sr-Cyrl']);
    expect(asked.map((r) => r.headers.get('Authorization'))).toEqual(['Bearer t', null]);
  });
  it('that is refused throws the code of the problem', async () => {
    answers = [() => problem(429, 'rate_limited', 3)];
    await expect(settled(need(made(0).GET('/v1/me')))).rejects.toMatchObject({
      code: 'rate_limited',
      status: 429,
      message: 'rate_limited.',
    });
    expect(asked).toHaveLength(1);
  });
  it('without a response throws, too', async () => {
    answers = [];
    await expect(settled(need(made(0).GET('/v1/me')))).rejects.toMatchObject({
      code: 'unreachable',
      status: 0,
    });
  });
});

describe('a patient client', () => {
  const params = { path: { table: '7' }, header: idempotencyKey() };
  it('waits as long as the server requires', async () => {
    answers = [() => problem(429, 'rate_limited', 3), good];
    const began = Date.now();
    await settled(need(made(60_000).GET('/v1/me')));
    expect([Date.now() - began, asked.length]).toEqual([3000, 2]);
  });
  it('keeps the key of a request, because the first attempt may have succeeded', async () => {
    answers = [() => problem(503, 'unavailable', 1)];
    await settled(need(made(2000).POST('/v1/tables/{table}/tickets', { params }))).catch(() => undefined);
    expect(keys().length).toBeGreaterThan(1);
    expect(new Set(keys())).toEqual(new Set([params.header['Idempotency-Key']]));
  });
  it('does not repeat a write without a key', async () => {
    answers = [() => problem(503, 'unavailable', 1), good];
    const asking = need(made(60_000).POST('/v1/auth/guest', { body: {} }));
    await expect(settled(asking)).rejects.toMatchObject({ code: 'unavailable' });
  });
  it('gives up if the required wait exceeds its limit', async () => {
    answers = [() => problem(429, 'rate_limited', 90), good];
    await expect(settled(need(made(60_000).GET('/v1/me')))).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
