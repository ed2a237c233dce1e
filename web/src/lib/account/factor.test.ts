import { describe, expect, it } from 'vitest';
import { codesLeftSaid, codesText, grouped } from './factor';
import { qrPicture } from '$lib/ui/qr';

describe('a secret to be typed', () => {
  it('is grouped by four characters', () => {
    expect(grouped('GEZDGNBVGY3TQOJQ')).toBe('GEZD GNBV GY3T QOJQ');
    expect(grouped('GEZDG')).toBe('GEZD G');
    expect(grouped('')).toBe('');
  });
});

describe('recovery codes', () => {
  it('are kept with what they are of, one a line', () => {
    const text = codesText(['MFRG-GZDF', 'OBYX-E43U'], 'rummy.example', 'Mia');
    expect(text).toBe('Recovery codes for Mia at rummy.example. Each works once.\n\nMFRG-GZDF\nOBYX-E43U\n');
  });
  it.each([
    [10, 'You have 10 recovery codes left.'],
    [3, 'You have 3 recovery codes left.'],
    [2, 'You have 2 recovery codes left. Get new ones soon.'],
    [1, 'You have 1 recovery code left. Get new ones soon.'],
    [0, 'You have no recovery codes left. Get new ones, or you’ll be locked out if you lose your phone.'],
  ])('%i', (left, said) => {
    expect(codesLeftSaid(left)).toBe(said);
  });
});

describe('a QR code', () => {
  const uri =
    'otpauth://totp/Rummy:mia%40example.org?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Rummy&algorithm=SHA1&digits=6&period=30';
  const { size, path } = qrPicture(uri);
  const dark = new Set([...path.matchAll(/M(\d+) (\d+)h1v1h-1z/g)].map(([, x, y]) => `${x} ${y}`));
  it('has a quiet zone of four modules', () => {
    expect((size - 8 - 17) % 4).toBe(0);
    for (const at of dark)
      for (const n of at.split(' ').map(Number)) expect(n >= 4 && n < size - 4).toBe(true);
  });
  it('has its marks in three corners and none in the fourth', () => {
    const end = size - 4 - 7;
    const mark = (left: number, top: number) =>
      [...'1111111 1000001 1011101 1011101 1011101 1000001 1111111'.replaceAll(' ', '')].every(
        (bit, i) => dark.has(`${left + (i % 7)} ${top + Math.floor(i / 7)}`) === (bit === '1'),
      );
    expect([mark(4, 4), mark(end, 4), mark(4, end), mark(end, end)]).toEqual([true, true, true, false]);
  });
});
