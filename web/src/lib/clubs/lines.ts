/* The messages that are shown, and the latest page of them. Pure. */
import type { ClubLine } from './clubs';

/** What is shown (the oldest first) once the latest page (the latest first) is read: what the page reaches is as the page has it, so that
 * what was deleted is gone; what is older stays. `alone`: nothing older goes with it. */
export function withPage(shown: readonly ClubLine[], page: readonly ClubLine[], alone: boolean): ClubLine[] {
  const first = page.at(-1);
  if (!first) return alone ? [] : [...shown];
  const reached = BigInt(first.id);
  return [...(alone ? [] : shown.filter((line) => BigInt(line.id) < reached)), ...[...page].reverse()];
}

/** Whether the latest page reaches back to `latest`, the latest message when it was read before: else there are others between them. */
export function goesOn(latest: string | null, page: readonly ClubLine[]): boolean {
  const first = page.at(-1);
  return latest !== null && first !== undefined && BigInt(first.id) <= BigInt(latest);
}
