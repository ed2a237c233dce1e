/* The practice game that this browser keeps: a reload or a crash goes on from the same position. */
import { load, save } from '$lib/api/storage';
import type { SavedSession } from './session';

const KEY = 'practice';

export function keptPractice(): SavedSession | null {
  return load<SavedSession | null>(KEY, null);
}

/** null: there is none any more. What the browser kept of an earlier table goes, too. */
export function keepPractice(saved: SavedSession | null): void {
  const before = keptPractice()?.setting.tableId;
  if (before && before !== saved?.setting.tableId)
    for (const what of ['hand', 'deal']) save(`${what}:${before}`, null);
  save(KEY, saved);
}
