import { describe, expect, it } from 'vitest';
import { deviceOf, keyBytes } from './push';

describe('push to this browser', () => {
  it('reads the key of the server: 65 bytes of a point on P-256', () => {
    const key = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
    const bytes = keyBytes(key);
    expect(bytes).toHaveLength(65);
    expect(bytes[0]).toBe(4);
    expect(Buffer.from(bytes).toString('base64url')).toBe(key);
  });

  it('tells the server what the contract asks for, without padding', () => {
    const keys = { p256dh: 'abc=', auth: 'de==' };
    const device = { kind: 'webpush', endpoint: 'https://push.example/1', p256dh: 'abc', auth: 'de' };
    expect(deviceOf({ endpoint: 'https://push.example/1', keys })).toEqual(device);
  });

  it('tells nothing of a subscription that is not whole', () => {
    expect(deviceOf({})).toBeNull();
    expect(deviceOf({ endpoint: 'https://push.example/1' })).toBeNull();
    expect(deviceOf({ endpoint: 'https://push.example/1', keys: { auth: 'x' } })).toBeNull();
  });
});
