import { describe, expect, it } from 'vitest';
import { faceOf, moved } from './faces';
import { RANK_PATHS, SUIT_PATHS } from './glyphs';

const numbers = (path: string) => (path.match(/-?[\d.]+/g) ?? []).map(Number);

describe('a path that is moved', () => {
  it('keeps relative steps, and moves absolute ones', () => {
    expect(moved('M1 2l3 4H5V6h1v-1z', 2, 10, 20)).toBe('M12 24l6 8H20V32h2v-2z');
  });
  it('turned half round, radii and flags of arcs stay what they are', () => {
    expect(moved('M16 2.5a6.4 8 0 0 1 5.3 10A1 2 30 1 0 3 4', -1, 100, 140)).toBe(
      'M84 137.5a6.4 8 0 0 1 -5.3 -10A1 2 30 1 0 97 136',
    );
  });
  it('takes numbers as glyphs write them', () => {
    expect(moved('M3 9C3 .8 17 .8 17 9c0 6-14 10.500-14 17', 1, 0, 0)).toBe(
      'M3 9C3 0.8 17 0.8 17 9c0 6 -14 10.5 -14 17',
    );
  });
  it('moved there and back is as it was', () => {
    for (const path of [...Object.values(SUIT_PATHS), ...Object.values(RANK_PATHS)])
      expect(numbers(moved(moved(path, -1, 100, 140), -1, 100, 140))).toEqual(numbers(moved(path, 1, 0, 0)));
  });
});

describe('a face', () => {
  const subpaths = (d: string) => (d.match(/M/g) ?? []).length;
  it('has a pip for each of its number, and two in the corners', () => {
    for (const [rank, n] of [...'23456789'].map((r) => [r, Number(r)] as const))
      expect(subpaths(faceOf(`${rank}H1`, 'full').ink)).toBe(n + 2);
    expect(subpaths(faceOf('TC2', 'full').ink)).toBe(12);
    expect(subpaths(faceOf('AS1', 'full').ink)).toBe(3);
  });
  it('has a crowned head at both ends where there is one', () => {
    expect(faceOf('KD1', 'full').court).not.toBeNull();
    expect(faceOf('KD1', 'small').court).toBeNull();
    expect(faceOf('9D1', 'full').court).toBeNull();
  });
  it('is the same for both copies of a card, and made once', () => {
    expect(faceOf('9D1', 'full')).toBe(faceOf('9D2', 'full'));
    expect(faceOf('9D1', 'full')).not.toBe(faceOf('9D1', 'small'));
  });
});
