import { describe, expect, it } from 'vitest';
import { amountSaid } from './amount';

describe('an amount', () => {
  it.each([
    [1234567, false, '1,234,567'],
    [12345, false, '12,345'],
    [300, false, '300'],
    [-40, true, '−40'],
    [5, true, '+5'],
    [0, true, '0'],
    ['–', true, '–'],
    ['×1.0', false, '×1.0'],
  ])('%s', (amount, signed, said) => {
    expect(amountSaid(amount, signed)).toBe(said);
  });
});
