/* Leaderboards: whose they are, what they count, and of which months. Pure. */
import { date } from '$lib/messages/format';
import { sayOr } from '$lib/messages/messages';
import { titleOf } from '$lib/messages/names';

export const BOARDS = {
  people: ['rating', 'clover', 'wins', 'rummies'],
  bots: ['bot_rating', 'bot_wins'],
} as const;
export type Board = (typeof BOARDS)[keyof typeof BOARDS][number];

/** Whether it is one of bot accounts: players stand on others. */
export const isOfBots = (board: Board): boolean => (BOARDS.bots as readonly Board[]).includes(board);

/** What a board counts; one of a later server goes by its id. */
export function boardName(board: string): string {
  return sayOr(`board.${board}`, titleOf(board));
}

/** The months before this one, newest first, as the boards name them. */
export function monthsBefore(n: number, now: Date): string[] {
  return Array.from({ length: n }, (_, i) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - i, 1));
    return month.toISOString().slice(0, 7);
  });
}

/** "October 2026" of 2026-10. */
export function monthName(month: string): string {
  return date(`${month}-15T12:00:00Z`, { month: 'long', year: 'numeric' });
}
