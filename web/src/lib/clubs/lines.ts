/* The visible messages, merged with their latest page. Pure. */
import type { ClubLine } from './clubs';

/** The visible messages (oldest first) after the latest page (latest first) was loaded: in its range, the
 * page replaces all messages, so that deleted ones disappear; older ones stay. `alone`: drop older
 * messages. */
export function withPage(shown: readonly ClubLine[], page: readonly ClubLine[], alone: boolean): ClubLine[] {
  const first = page.at(-1);
  if (!first) return alone ? [] : [...shown];
  const reached = BigInt(first.id);
  return [...(alone ? [] : shown.filter((line) => BigInt(line.id) < reached)), ...[...page].reverse()];
}

/** Whether the latest page reaches back to `latest`, the latest message of the previous poll. If not, there
 * are other messages between them. */
export function goesOn(latest: string | null, page: readonly ClubLine[]): boolean {
  const first = page.at(-1);
  return latest !== null && first !== undefined && BigInt(first.id) <= BigInt(latest);
}
