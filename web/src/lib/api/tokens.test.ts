import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accessToken, dropTokens, keepTokens, onSessionEnd, tokens } from './tokens';

const ANSWER = { access_token: 'a2', expires_in: 900, refresh_token: 'r2' };
const answer = (status: number, body: unknown = {}) => new Response(JSON.stringify(body), { status });
let sent: string[];
let answers: (() => Promise<Response>)[];

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('navigator', {});
  const kept = new Map<string, string>();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => kept.set(key, value),
    removeItem: (key: string) => kept.delete(key),
  });
  sent = [];
  vi.stubGlobal('fetch', (_: string, request: RequestInit) => {
    sent.push((JSON.parse(request.body as string) as { refresh_token: string }).refresh_token);
    return (answers.shift() ?? (() => Promise.reject(new TypeError('no line'))))();
  });
  keepTokens({ access_token: 'a1', expires_in: 0, refresh_token: 'r1' });
});
afterEach(() => {
  dropTokens();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function renewed(): Promise<string | null> {
  const token = accessToken();
  token.catch(() => undefined);
  await vi.runAllTimersAsync();
  return token;
}

describe('an access token that is too old', () => {
  it('is renewed, with the same refresh token when an answer was lost', async () => {
    answers = [() => Promise.reject(new TypeError('lost')), () => Promise.resolve(answer(200, ANSWER))];
    expect(await renewed()).toBe('a2');
    expect(sent).toEqual(['r1', 'r1']);
    expect(tokens()?.refresh).toBe('r2');
  });
  it('stays what it is when no answer comes at all', async () => {
    answers = [];
    await expect(renewed()).rejects.toThrow('no line');
    expect(sent).toEqual(['r1', 'r1', 'r1']);
    expect(tokens()?.refresh).toBe('r1');
  });
  it('is forgotten when the session is over', async () => {
    const told = vi.fn();
    onSessionEnd(told);
    answers = [() => Promise.resolve(answer(401, { code: 'session_expired' }))];
    expect(await renewed()).toBe(null);
    expect(tokens()).toBe(null);
    expect(told).toHaveBeenCalledOnce();
  });
});
