import { describe, expect, it } from 'vitest';
import { smsOf, paymentMethodName } from './payment-methods';

describe('ways to pay', () => {
  it('have names', () => {
    expect(['stripe', 'paypal', 'sms', 'other'].map(paymentMethodName)).toEqual([
      'Pay by card',
      'Pay with PayPal',
      'Pay by SMS',
      'Pay with other',
    ]);
  });
  it('by SMS say what to send where', () => {
    expect(smsOf('sms:70707?body=GOLD%207K3F9QXY2Z')).toEqual({ number: '70707', text: 'GOLD 7K3F9QXY2Z' });
    for (const other of [
      null,
      '',
      'https://pay.example/?body=x',
      'sms:70707',
      'sms:?body=x',
      'sms:1?body=%E0%A4',
      'sms:x?body=y',
    ])
      expect(smsOf(other)).toBeNull();
  });
});
