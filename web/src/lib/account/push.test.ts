import { describe, expect, it } from 'vitest';
import { deviceOf, isFor, keyBytes, subscribe } from './push';

const KEY = 'BP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A8';
const OLD_KEY = KEY.replace('BP4z', 'BQ4z');

/** As in a browser: one subscription, and no second one with a different key. */
class Manager {
  held: PushSubscription | null = null;

  getSubscription = () => Promise.resolve(this.held);

  subscribe = (options: { applicationServerKey: Uint8Array<ArrayBuffer> }) => {
    if (this.held && !isFor(this.held, Buffer.from(options.applicationServerKey).toString('base64url')))
      return Promise.reject(new DOMException('another key', 'InvalidStateError'));
    this.held ??= {
      options: { applicationServerKey: options.applicationServerKey.buffer },
      toJSON: () => ({
        endpoint: `https://push.example/${String(++this.made)}`,
        keys: { p256dh: 'abc', auth: 'de' },
      }),
      unsubscribe: () => {
        this.held = null;
        return Promise.resolve(true);
      },
    } as unknown as PushSubscription;
    return Promise.resolve(this.held);
  };

  made = 0;
}

describe('a subscription and the key of the server', () => {
  it('belongs to the key it was made with', async () => {
    const manager = new Manager() as unknown as PushManager;
    await subscribe(manager, KEY);
    const held = await manager.getSubscription();
    expect(held && [isFor(held, KEY), isFor(held, OLD_KEY)]).toEqual([true, false]);
    expect(isFor({ options: { applicationServerKey: null } } as PushSubscription, KEY)).toBe(false);
  });

  it('is made again when the key has changed, and only then', async () => {
    const manager = new Manager() as unknown as PushManager;
    await subscribe(manager, OLD_KEY);
    const first = await manager.getSubscription();
    await subscribe(manager, OLD_KEY);
    expect(await manager.getSubscription()).toBe(first);
    expect(await subscribe(manager, KEY)).toMatchObject({ kind: 'webpush', auth: 'de' });
    const held = await manager.getSubscription();
    expect(held && isFor(held, KEY)).toBe(true);
  });
});

describe('push to this browser', () => {
  it('reads the key of the server: 65 bytes of a point on P-256', () => {
    const bytes = keyBytes(KEY);
    expect(bytes).toHaveLength(65);
    expect(bytes[0]).toBe(4);
    expect(Buffer.from(bytes).toString('base64url')).toBe(KEY);
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
