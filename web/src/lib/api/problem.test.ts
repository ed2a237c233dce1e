import { describe, expect, it } from 'vitest';
import { ApiError, sentence } from './problem';

const PROBLEM = {
  type: '/docs#error-busy',
  title: 'The server is busy: try again in a moment.',
  status: 503,
  detail: 'The server is busy: try again in a moment.',
  instance: '/v1/me',
  code: 'of_a_later_server',
  trace_id: '0123456789abcdef0123456789abcdef',
};

describe('what the server refuses', () => {
  it('is shown with its data if the page has a sentence for the code', () => {
    const locked = { ...PROBLEM, code: 'account_locked', status: 429, retry_s: 840 };
    expect(sentence(new ApiError(locked, 429))).toBe(
      'Too many failed attempts for this account. Try again in 14 minutes, or check your email for a link to unlock it.',
    );
  });
  it('is shown in the words of the server if the page has no sentence', () => {
    expect(sentence(new ApiError(PROBLEM, 503))).toBe(PROBLEM.detail);
  });
  it('is that the server did not respond if there is no response', () => {
    const nobody = new ApiError(undefined, 0);
    expect([nobody.code, sentence(nobody)]).toEqual([
      'unreachable',
      'We can’t reach the server. Check your connection and try again.',
    ]);
  });
});
