import { describe, expect, it } from 'vitest';
import { fromBase64url, toBase64url } from './passkey';

describe('bytes as base64url', () => {
  it('has no padding and only characters allowed in addresses', () => {
    expect(toBase64url(Uint8Array.from([251, 255, 254]).buffer)).toBe('-__-');
    expect(toBase64url(Uint8Array.from([255]).buffer)).toBe('_w');
    expect(toBase64url(new ArrayBuffer(0))).toBe('');
  });
  it('comes back as it was, of any length', () => {
    for (let length = 0; length < 70; length++) {
      const bytes = Uint8Array.from({ length }, (_, i) => (i * 37 + length) % 256);
      expect(fromBase64url(toBase64url(bytes.buffer))).toEqual(bytes);
    }
  });
});
