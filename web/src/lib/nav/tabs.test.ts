import { expect, test } from 'vitest';
import { tabOf } from './tabs';

test('a page stands under a tab of the bottom bar', () => {
  for (const [path, tab] of [
    ['/', '/'],
    ['/daily', '/daily'],
    ['/puzzles', '/daily'],
    ['/tournaments/12', '/tournaments'],
    ['/clubs/7', '/friends'],
    ['/players/57', '/friends'],
    ['/profile', '/profile'],
    ['/wallet', '/profile'],
    ['/games/31', '/profile'],
    ['/leagues', '/profile'],
    ['/rules', undefined],
    ['/profiles', undefined],
  ] as const)
    expect(tabOf(path), path).toBe(tab);
});
