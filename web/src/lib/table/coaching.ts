/* Where the coach is allowed. Its advice is in advice.ts, which is loaded with the engine. */
import type { TableState } from './state';

/** A game of two or more human players is rated unless the table is private. All other games are practice,
 * where the coach is allowed. */
export function mayCoach(state: TableState, code: string, watching: boolean): boolean {
  if (watching || state.me === null || state.table.stake > 0) return false;
  return code !== '' || state.seats.filter((seat) => !seat.bot).length < 2;
}
