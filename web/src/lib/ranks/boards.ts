/* Leaderboards: what they count, and of which months. Pure. */
export const BOARDS = [
  ['rating', 'Rating'],
  ['clover', 'Clover points'],
  ['wins', 'Wins'],
  ['rummies', 'Rummy finishes'],
] as const;
export type Board = (typeof BOARDS)[number][0];

/** The months before this one, newest first, as the boards name them. */
export function monthsBefore(n: number, now: Date): string[] {
  return Array.from({ length: n }, (_, i) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - i, 1));
    return month.toISOString().slice(0, 7);
  });
}
