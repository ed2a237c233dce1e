/* Which pages there are, without anything that only a browser or the build could load. */

/** Pages about nothing in particular. */
export const PLAIN = [
  'wallet',
  'daily',
  'games',
  'shop',
  'leaderboards',
  'leagues',
  'profile',
  'friends',
  'clubs',
  'invites',
  'notifications',
  'account',
  'forgot',
  'learn',
  'practice',
  'replay',
  'rules',
  'tournaments',
  'verify',
  'reset',
  'undo',
  'unlock',
  'sign-in',
] as const;
/** Pages about one thing: the first part of the address, the page's name, and what the thing is called by. */
export const ABOUT = {
  table: ['table', /^\d+$/],
  games: ['game', /^\d+$/],
  join: ['join', /^\w+$/],
  players: ['player', /^\d+$/],
  invite: ['invite', /^\w+$/],
  embed: ['embed', /^\d+$/],
  rules: ['rulebook', /^\w+$/],
  learn: ['guide', /^\w+$/],
  tournaments: ['tournament', /^\d+$/],
  clubs: ['club', /^\d+$/],
} as const;

/** Where pages have gone that were one of their own. */
export const MOVED: Readonly<Record<string, string>> = { '/rooms': '/', '/tables': '/' };
