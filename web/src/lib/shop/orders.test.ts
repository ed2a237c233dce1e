import { describe, expect, it } from 'vitest';
import { orderSaid, type Order } from './orders';

const ORDER: Order = {
  id: '41',
  state: 'paid',
  pack: 'gold_300',
  gold: 300,
  amount: 499,
  currency: 'eur',
  provider: 'stripe',
  pay_url: null,
  created_at: '2026-11-21T12:00:00.000Z',
  expires_at: '2026-11-21T13:00:00.000Z',
  paid_at: '2026-11-21T12:01:00.000Z',
  refunded: 0,
  gold_back: 0,
  gold_short: 0,
  why: null,
};

describe('an order', () => {
  it('states the outcome', () => {
    expect(orderSaid(ORDER)).toBe('Paid');
    expect(orderSaid({ ...ORDER, state: 'charged_back', gold_back: 80, gold_short: 220 })).toBe(
      'Charged back · 80 gold taken back · 220 gold short',
    );
    expect(orderSaid({ ...ORDER, state: 'failed', why: 'refused' })).toBe(
      'Failed · The payment provider declined it',
    );
    expect(orderSaid({ ...ORDER, state: 'expired', why: 'expired' })).toBe('Expired');
  });
});
