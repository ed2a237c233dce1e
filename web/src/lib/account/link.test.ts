import { describe, expect, it, vi } from 'vitest';
import { takeToken } from './link';

const TOKEN = 'ab'.repeat(32);

function take(hash: string) {
  const replaceState = vi.fn();
  const token = takeToken({ hash, pathname: '/verify' }, { state: 7, replaceState });
  return { token, replaced: replaceState.mock.calls };
}

describe('the token of a link', () => {
  it('is taken out of the address and the history at once', () => {
    expect(take(`#${TOKEN}`)).toEqual({ token: TOKEN, replaced: [[7, '', '/verify']] });
  });
  it.each(['#abc', `#${TOKEN}0`, `#${TOKEN.toUpperCase()}`, '#<script>'])('is none in %s', (hash) => {
    expect(take(hash)).toEqual({ token: '', replaced: [[7, '', '/verify']] });
  });
  it('is none in an address without #', () => {
    expect(take('')).toEqual({ token: '', replaced: [] });
  });
});
