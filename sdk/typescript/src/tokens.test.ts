import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BotTokens, SessionTokens, givenToken } from './tokens.js';

const ANSWER = { access_token: 'a2', expires_in: 900, refresh_token: 'r2' };
const answer = (status: number, body: unknown = {}) => new Response(JSON.stringify(body), { status });
let sent: string[];
let answers: (() => Promise<Response>)[];
let tokens: SessionTokens;
const told = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  sent = [];
  vi.stubGlobal('fetch', (_: string, request: RequestInit) => {
    sent.push((JSON.parse(request.body as string) as { refresh_token: string }).refresh_token);
    return (answers.shift() ?? (() => Promise.reject(new TypeError('no line'))))();
  });
  told.mockClear();
  tokens = new SessionTokens({ url: '', ended: told });
  tokens.keep({ access_token: 'a1', expires_in: 0, refresh_token: 'r1' });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function renewed(): Promise<string | null> {
  const token = tokens.access();
  token.catch(() => undefined);
  await vi.runAllTimersAsync();
  return token;
}

describe('an expired access token', () => {
  it('is renewed, with the same refresh token if a response was lost', async () => {
    answers = [() => Promise.reject(new TypeError('lost')), () => Promise.resolve(answer(200, ANSWER))];
    expect(await renewed()).toBe('a2');
    expect(sent).toEqual(['r1', 'r1']);
    expect(tokens.now()?.refresh).toBe('r2');
  });
  it('is requested once for concurrent callers', async () => {
    answers = [() => Promise.resolve(answer(200, ANSWER))];
    expect(await Promise.all([tokens.access(), tokens.access()])).toEqual(['a2', 'a2']);
    expect(sent).toEqual(['r1']);
  });
  it('remains if no response arrives at all', async () => {
    answers = [];
    await expect(renewed()).rejects.toThrow('no line');
    expect(sent).toEqual(['r1', 'r1', 'r1']);
    expect(tokens.now()?.refresh).toBe('r1');
  });
  it.each([
    [401, 'session_expired'],
    [403, 'account_banned'],
  ])('is deleted when the session has ended: %i %s', async (status, code) => {
    answers = [() => Promise.resolve(answer(status, { code }))];
    expect(await renewed()).toBe(null);
    expect(tokens.now()).toBe(null);
    expect(told).toHaveBeenCalledOnce();
  });
});

describe('the token of a bot account', () => {
  const sentTokens: string[] = [];
  beforeEach(() => {
    sentTokens.length = 0;
    vi.stubGlobal('fetch', (_: string, request: RequestInit) => {
      sentTokens.push((JSON.parse(request.body as string) as { token: string }).token);
      return (answers.shift() ?? (() => Promise.reject(new TypeError('no line'))))();
    });
  });
  it('is exchanged for an access token, once for all callers, and again after expiry or refusal', async () => {
    const bot = new BotTokens('', 'rbt_x');
    answers = ['a1', 'a2', 'a3'].map(
      (token) => () => Promise.resolve(answer(200, { access_token: token, expires_in: 900 })),
    );
    expect(await Promise.all([bot.access(), bot.access()])).toEqual(['a1', 'a1']);
    expect(await bot.access()).toBe('a1');
    expect(await bot.access('a1')).toBe('a2');
    vi.advanceTimersByTime(841_000);
    expect(await bot.access()).toBe('a3');
    expect(sentTokens).toEqual(['rbt_x', 'rbt_x', 'rbt_x']);
  });
  it('throws the reason when it is refused', async () => {
    answers = [() => Promise.resolve(answer(401, { code: 'bot_token_expired' }))];
    await expect(new BotTokens('', 'rbt_x').access()).rejects.toMatchObject({ code: 'bot_token_expired' });
  });
});

describe('a given token', () => {
  it('is used until the server refuses it', async () => {
    const given = givenToken('t');
    expect([await given.access(), await given.access('t')]).toEqual(['t', null]);
  });
});
