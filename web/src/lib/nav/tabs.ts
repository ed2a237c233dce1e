/* The tabs of the bottom bar on phones, and the pages below the profile. */
import type { Links } from './subpages';

/** Pages linked from the player's profile. */
export const OWN: Links = [
  ['/profile', 'nav.profile'],
  ['/games', 'nav.games'],
  ['/week', 'page.week'],
  ['/leaderboards', 'nav.ranks'],
  ['/wallet', 'nav.wallet'],
  ['/account', 'nav.account'],
];

const below = (path: string, href: string) => path === href || path.startsWith(`${href}/`);

/** The bottom tab of a page; undefined for pages that are only in the header and its menus. */
export function tabOf(path: string): string | undefined {
  if (path === '/') return path;
  if (below(path, '/puzzles')) return '/daily';
  if (['/daily', '/tournaments'].some((href) => below(path, href))) return `/${path.split('/')[1]}`;
  if (['/friends', '/clubs', '/invites', '/players'].some((href) => below(path, href))) return '/friends';
  return OWN.some(([href]) => below(path, href)) || path === '/shop' || path === '/leagues'
    ? '/profile'
    : undefined;
}
