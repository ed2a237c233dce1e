/* Pages that stand together. */
export const RANKS = [
  ['/leaderboards', 'Leaderboards'],
  ['/leagues', 'Leagues'],
] as const;
export const PURSE = [
  ['/wallet', 'Wallet'],
  ['/shop', 'Shop'],
] as const;
export const PEOPLE = [
  ['/friends', 'Friends'],
  ['/invites', 'Invitations'],
  ['/notifications', 'Notifications'],
] as const;
