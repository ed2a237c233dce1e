/* The practice game stored in this browser, so that it resumes at the same position after a reload or a
 * crash. */
import { load, save } from '$lib/api/storage';
import type { SavedSession } from './session';

const KEY = 'practice';

export function keptPractice(): SavedSession | null {
  return load<SavedSession | null>(KEY, null);
}

/** null removes the stored game. The stored data of an earlier table is removed, too. */
export function keepPractice(saved: SavedSession | null): void {
  const before = keptPractice()?.setting.tableId;
  if (before && before !== saved?.setting.tableId)
    for (const what of ['hand', 'deal']) save(`${what}:${before}`, null);
  save(KEY, saved);
}
