/* The pages that stand under one entry of the header. */
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
