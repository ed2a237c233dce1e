import { expect, test } from 'vitest';
import { entryOf } from './subpages';

test('a page stands under the entry of its group', () => {
  for (const [path, entry] of [
    ['/leaderboards', '/leaderboards'],
    ['/leagues', '/leaderboards'],
    ['/daily', '/leaderboards'],
    ['/puzzles', '/leaderboards'],
    ['/tournaments/12', '/leaderboards'],
    ['/tournamentses', undefined],
    ['/shop', '/wallet'],
    ['/clubs/7', '/friends'],
    ['/invites', '/friends'],
    ['/notifications', '/friends'],
    ['/games', undefined],
    ['/', undefined],
  ] as const)
    expect(entryOf(path), path).toBe(entry);
});
