/* A list of all pages. This module imports nothing that only a browser or the build can load. */

/** Pages that are not about an item. */
export const PLAIN = [
  'wallet',
  'daily',
  'games',
  'week',
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
  'lessons',
  'practice',
  'puzzles',
  'replay',
  'rules',
  'tournaments',
  'verify',
  'reset',
  'undo',
  'unlock',
  'sign-in',
] as const;
/** Pages about one item: the first part of the address, the page's name, and a pattern for the item's
 * id. */
export const ABOUT = {
  table: ['table', /^\d+$/],
  games: ['game', /^\d+$/],
  join: ['join', /^\w+$/],
  players: ['player', /^\d+$/],
  invite: ['invite', /^\w+$/],
  embed: ['embed', /^\d+$/],
  rules: ['rulebook', /^\w+$/],
  learn: ['guide', /^\w+$/],
  lessons: ['path', /^\w+$/],
  tournaments: ['tournament', /^\d+$/],
  clubs: ['club', /^\d+$/],
  puzzles: ['puzzle', /^\d+$/],
} as const;

/** Pages below those: the first and the last part of the address, and the page's name. */
export const BELOW = {
  'games/replay': 'game-replay',
  'games/play': 'ghost',
  'rules/score-sheet': 'sheet',
} as const;

/** New addresses of former pages. */
export const MOVED: Readonly<Record<string, string>> = { '/rooms': '/', '/tables': '/' };
