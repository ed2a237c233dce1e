/* The messages that are shown, and the latest page of them. Pure. */
import type { ClubLine } from './clubs';

/** What is shown (the oldest first) once the latest page (the latest first) is read: what the page reaches is as the page has it, so that
 * what was deleted is gone; what is older stays. `all`: there is nothing older than the page. */
export function withPage(shown: readonly ClubLine[], page: readonly ClubLine[], all: boolean): ClubLine[] {
  const first = page.at(-1);
  if (!first) return all ? [] : [...shown];
  const reached = BigInt(first.id);
  return [...(all ? [] : shown.filter((line) => BigInt(line.id) < reached)), ...[...page].reverse()];
}
