import { describe, expect, it } from 'vitest';
import { ApiError } from '@rummyd/client';
import { unknownOutcome } from './outcome';

describe('a try that failed', () => {
  it('is the same request again only while its outcome is unknown', () => {
    expect(unknownOutcome(new ApiError(undefined, 0))).toBe(true);
    expect(unknownOutcome(new ApiError({ code: 'unavailable' }, 503))).toBe(true);
    expect(unknownOutcome(new ApiError({ code: 'out_of_range' }, 422))).toBe(false);
    expect(unknownOutcome(new ApiError({ code: 'not_refundable' }, 409))).toBe(false);
    expect(unknownOutcome(new Error('x'))).toBe(false);
    expect(unknownOutcome(null)).toBe(false);
  });
});
