/* Where the coach may speak. What it says is in advice.ts, which comes with the engine. */
import type { TableState } from './state';

/** Rated is what two people or more play, unless the table is private; only the rest is for practice. */
export function mayCoach(state: TableState, code: string, watching: boolean): boolean {
  if (watching || state.me === null || state.table.stake > 0) return false;
  return code !== '' || state.seats.filter((seat) => !seat.bot).length < 2;
}
