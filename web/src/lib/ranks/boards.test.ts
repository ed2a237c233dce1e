import { describe, expect, it } from 'vitest';
import { monthsBefore } from './boards';

describe('months of a board', () => {
  it('go back over the new year', () => {
    expect(monthsBefore(3, new Date('2026-02-28T23:00:00Z'))).toEqual(['2026-01', '2025-12', '2025-11']);
  });
});
