/* The pages of each header entry. */
import type { MessageKey } from '$lib/messages/messages';

export type Links = readonly (readonly [href: string, name: MessageKey])[];

export const RANKS: Links = [
  ['/leaderboards', 'page.leaderboards'],
  ['/leagues', 'nav.leagues'],
  ['/daily', 'page.daily'],
  ['/puzzles', 'page.puzzles'],
  ['/tournaments', 'page.tournaments'],
];
export const PURSE: Links = [
  ['/wallet', 'nav.wallet'],
  ['/shop', 'nav.shop'],
];
export const PEOPLE: Links = [
  ['/friends', 'nav.friends'],
  ['/clubs', 'page.clubs'],
  ['/invites', 'nav.invitations'],
  ['/notifications', 'nav.notifications'],
];

/** Address of the header entry that contains a page or the page above it, which is the first page of its
 * group. */
export function entryOf(path: string): string | undefined {
  return [RANKS, PURSE, PEOPLE].find((links) =>
    links.some(([href]) => href === path || path.startsWith(`${href}/`)),
  )?.[0]?.[0];
}
