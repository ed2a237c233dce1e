import { describe, expect, it } from 'vitest';
import { accented, mirrored } from './pseudo';
import { rewritten } from './sentence';

describe('languages for tests', () => {
  it('are longer, and marked', () => {
    expect(accented('Sign out')).toMatch(/^Šîĝñ öûţ|^Šîĝñ öût/);
    for (const text of ['Play', 'Sign out', 'Discard one card, or one joker with one natural card.'])
      expect(accented(text).length).toBeGreaterThanOrEqual(text.length * 1.3);
  });

  it('run from right to left', () => {
    expect(mirrored(' of {n}')).toBe(' \u202eof {n}\u202c');
    expect(mirrored(', ')).toBe(', ');
  });

  it('leave places and blanks around them alone', () => {
    const message = '{n, plural, one {# card of {nick}} other {# cards}}';
    for (const change of [accented, mirrored]) {
      expect(rewritten(message, change)).toContain('{nick}');
      expect(rewritten(message, change)).toMatch(/one \{# ?/);
      expect(change(' a ')).toMatch(/^ .* $/);
      expect(change('')).toBe('');
    }
  });
});
