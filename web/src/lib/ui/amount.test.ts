import { describe, expect, it } from 'vitest';
import { number } from '$lib/messages/format';
import { amountSaid, factor, money, percent } from './amount';

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

describe('a number', () => {
  it('has a real minus', () => {
    expect(number(-1.5)).toBe('−1.5');
    expect(number(-12.5, { signDisplay: 'exceptZero' })).toBe('−12.5');
  });
});

describe('a factor', () => {
  it('has one digit after the point', () => {
    expect([factor('1.0'), factor('2.2')]).toEqual(['×1.0', '×2.2']);
  });
});

describe('money', () => {
  it('has the digits of its currency', () => {
    expect(money(499, 'eur')).toBe('€4.99');
    expect(money(5, 'usd')).toBe('$0.05');
    expect(money(500, 'jpy')).toBe('¥500');
  });
});

describe('a share', () => {
  it('is a whole number of parts in a hundred', () => {
    expect(percent(1, 3)).toBe('33%');
    expect(percent(0, 0)).toBe('–');
  });
});
