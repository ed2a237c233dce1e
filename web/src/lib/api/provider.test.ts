import { beforeEach, describe, expect, it, vi } from 'vitest';
import { backOf, keepFlow, takeBack, type Flow } from './provider';

const STATE = 's'.repeat(43);
const SECRET = 't'.repeat(43);
const flow: Flow = {
  provider: { id: 'google', name: 'Google' },
  act: 'sign-in',
  player: null,
  back: '/tables',
  state: STATE,
  secret: SECRET,
};

describe('who comes back from a provider', () => {
  it('finishes with the code, the state, and the secret that this tab kept', () => {
    const finish = { code: 'c/1', state: STATE, secret: SECRET };
    expect(backOf(`?code=c%2F1&state=${STATE}`, flow)).toEqual({ flow, finish });
    const iss = 'https://accounts.example';
    expect(backOf(`?iss=${encodeURIComponent(iss)}&state=${STATE}&code=c%2F1&scope=openid`, flow)).toEqual({
      flow,
      finish: { ...finish, iss },
    });
  });
  it.each([
    ['?code=c', flow],
    ['', flow],
    [`?code=c&state=${SECRET}`, flow],
    [`?error=access_denied&state=${SECRET}`, flow],
    [`?code=c&state=${STATE}`, null],
  ])('is astray with %s', (query, kept) => {
    expect(backOf(query, kept)).toEqual({ flow: null, refused: 'stray' });
  });
  it.each([
    ['error=access_denied', 'cancelled'],
    ['error=user_cancelled_authorize', 'cancelled'],
    ['error=server_error&error_description=no', 'failed'],
    ['error=server_error&code=c', 'failed'],
    ['code=', 'failed'],
    ['iss=x', 'failed'],
  ])('with %s has %s', (query, refused) => {
    expect(backOf(`?${query}&state=${STATE}`, flow)).toEqual({ flow, refused });
  });
});

describe('the address they come back to', () => {
  beforeEach(() => {
    const kept = new Map<string, string>();
    vi.stubGlobal('sessionStorage', {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => kept.set(key, value),
      removeItem: (key: string) => kept.delete(key),
    });
    keepFlow(flow);
  });
  const take = (search: string) => {
    const replaceState = vi.fn();
    return [takeBack({ search, pathname: '/sign-in' }, { state: 7, replaceState }), replaceState.mock.calls];
  };
  const STRAY = { flow: null, refused: 'stray' };

  it('is cleaned, and counts once', () => {
    const [back, cleaned] = take(`?code=c&state=${STATE}`);
    expect(back).toMatchObject({ finish: { code: 'c' } });
    expect(cleaned).toEqual([[7, '', '/sign-in']]);
    expect(take(`?code=c&state=${STATE}`)).toEqual([STRAY, [[7, '', '/sign-in']]]);
  });
  it('uses up nothing that is not its own', () => {
    expect(take(`?code=c&state=${SECRET}`)).toEqual([STRAY, [[7, '', '/sign-in']]]);
    expect(take(`?code=c&state=${STATE}`)[0]).toMatchObject({ flow });
  });
});
