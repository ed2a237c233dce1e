import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SessionTokens, givenToken } from './tokens.js';

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

describe('an access token that is too old', () => {
  it('is renewed, with the same refresh token when an answer was lost', async () => {
    answers = [() => Promise.reject(new TypeError('lost')), () => Promise.resolve(answer(200, ANSWER))];
    expect(await renewed()).toBe('a2');
    expect(sent).toEqual(['r1', 'r1']);
    expect(tokens.now()?.refresh).toBe('r2');
  });
  it('is asked for once, however many want it', async () => {
    answers = [() => Promise.resolve(answer(200, ANSWER))];
    expect(await Promise.all([tokens.access(), tokens.access()])).toEqual(['a2', 'a2']);
    expect(sent).toEqual(['r1']);
  });
  it('stays what it is when no answer comes at all', async () => {
    answers = [];
    await expect(renewed()).rejects.toThrow('no line');
    expect(sent).toEqual(['r1', 'r1', 'r1']);
    expect(tokens.now()?.refresh).toBe('r1');
  });
  it('is forgotten when the session is over', async () => {
    answers = [() => Promise.resolve(answer(401, { code: 'session_expired' }))];
    expect(await renewed()).toBe(null);
    expect(tokens.now()).toBe(null);
    expect(told).toHaveBeenCalledOnce();
  });
});

describe('a token that was given', () => {
  it('is used until the server refuses it', async () => {
    const given = givenToken('t');
    expect([await given.access(), await given.access('t')]).toEqual(['t', null]);
  });
});
