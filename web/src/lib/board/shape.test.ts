import { describe, expect, test } from 'vitest';
import { layoutOf, type Shape } from './shape';

describe('the shape of a table', () => {
  const shapes: [number, number, number, Shape][] = [
    [360, 740, 16, 'tall'],
    [320, 568, 16, 'tall'],
    [768, 1024, 16, 'tall'],
    [844, 390, 16, 'flat'],
    [740, 360, 16, 'flat'],
    [683, 384, 16, 'flat'],
    [640, 360, 16, 'flat'],
    [960, 540, 16, 'flat'],
    [413, 384, 16, 'flat'],
    [500, 480, 16, 'tall'],
    [896, 750, 16, 'tall'],
    [960, 750, 16, 'wide'],
    [1366, 768, 16, 'wide'],
    [1920, 1080, 16, 'wide'],
    [1366, 768, 32, 'flat'],
    [1920, 1080, 32, 'flat'],
    [360, 740, 32, 'tall'],
  ];
  for (const [width, height, rem, shape] of shapes)
    test(`${width} by ${height} with text of ${rem} px is ${shape}`, () => {
      expect(layoutOf(width, height, rem, 0).shape).toBe(shape);
    });

  test('a card can be hit by a finger in every window', () => {
    for (let width = 320; width <= 2560; width += 40)
      for (let height = 320; height <= 1600; height += 40) {
        for (const size of ['small', 'normal', 'large'] as const) {
          const { hand, pile, meld } = layoutOf(width, height, 16, 24, size);
          expect(Math.min(hand, pile)).toBeGreaterThanOrEqual(44);
          expect(meld).toBeGreaterThanOrEqual(24);
        }
      }
  });

  test('the hand is as large as the player has it, and the piles make room', () => {
    const [small, normal, large] = (['small', 'normal', 'large'] as const).map((size) =>
      layoutOf(1366, 768, 16, 3, size),
    );
    expect(small?.hand).toBeLessThan(normal?.hand ?? 0);
    expect(normal?.hand).toBeLessThan(large?.hand ?? 0);
    expect(large?.pile).toBeLessThan(normal?.pile ?? 0);
  });

  test('many melds are drawn smaller, the hand is not', () => {
    const [few, many] = [layoutOf(1366, 768, 16, 3), layoutOf(1366, 768, 16, 24)];
    expect(many.meld).toBeLessThan(few.meld);
    expect(many.hand).toBe(few.hand);
  });
});
