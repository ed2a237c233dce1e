/* Leaderboards: their players, values, and months. Pure. */
import { date } from '$lib/messages/format';
import { sayOr } from '$lib/messages/messages';
import { titleOf } from '$lib/messages/names';

export const BOARDS = {
  people: ['rating', 'clover', 'wins', 'rummies'],
  bots: ['bot_rating', 'bot_wins'],
} as const;
export type Board = (typeof BOARDS)[keyof typeof BOARDS][number];

/** Whether it is for bot accounts, which have separate boards. */
export const isOfBots = (board: Board): boolean => (BOARDS.bots as readonly Board[]).includes(board);

/** Name of a board. If only a newer server has the board, the name is derived from its id. */
export function boardName(board: string): string {
  return sayOr(`board.${board}`, titleOf(board));
}

/** The previous months, newest first, in the format of the boards. */
export function monthsBefore(n: number, now: Date): string[] {
  return Array.from({ length: n }, (_, i) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - i, 1));
    return month.toISOString().slice(0, 7);
  });
}

/** "October 2026" for 2026-10. */
export function monthName(month: string): string {
  return date(`${month}-15T12:00:00Z`, { month: 'long', year: 'numeric' });
}
