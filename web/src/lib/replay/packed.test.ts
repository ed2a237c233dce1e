/* A record in an address survives a round trip, and invalid ones give an empty result. */
import { Readable, Writable, type Duplex } from 'node:stream';
import { createDeflateRaw, createInflateRaw, deflateRawSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { handText, packRecord, unpackRecord } from './packed';

const HAND = (n: number) => `[Rummyd "1"]\n[Hand "${n}"]\n[Name0 "Žana ☾"]\n\n1. 0 throw AC1\n`;

/* Browsers have deflate-raw; Node.js 18, which has both classes, does not. */
const both = (way: Duplex) => ({ readable: Readable.toWeb(way), writable: Writable.toWeb(way) });
beforeAll(() => {
  vi.stubGlobal('CompressionStream', function () {
    return both(createDeflateRaw());
  });
  vi.stubGlobal('DecompressionStream', function () {
    return both(createInflateRaw());
  });
});
afterAll(() => vi.unstubAllGlobals());

describe('a packed record', () => {
  it('comes back as it was', async () => {
    const text = HAND(1).repeat(50);
    const packed = await packRecord(text);
    expect(packed).toMatch(/^r=[\w-]+$/);
    expect(packed.length).toBeLessThan(text.length / 4);
    expect(await unpackRecord(packed)).toBe(text);
  });

  it('that is none is nothing', async () => {
    const good = await packRecord(HAND(1));
    const other = await packRecord('no record');
    const cut = good.slice(0, -9);
    for (const bad of ['', 'r=', 'r=!', 'turn=3', `${good}=`, cut, `r=${'A'.repeat(40)}`, other])
      expect(await unpackRecord(bad), bad).toBe('');
  });

  it('that would be too long is given up', async () => {
    const bomb = deflateRawSync(Buffer.concat([Buffer.from('[Rummyd "'), Buffer.alloc(64 << 20)]));
    expect(await unpackRecord(`r=${bomb.toString('base64url')}`)).toBe('');
  });
});

it('a hand is taken out of a session', () => {
  const text = [HAND(1), HAND(2), HAND(3)].join('\n');
  expect(handText(text, 1).trim()).toBe(HAND(2).trim());
  expect(handText(text, 2).trim()).toBe(HAND(3).trim());
});
