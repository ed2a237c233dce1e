/* Values kept in the browser, between visits or (`session`) while the tab is open. Nothing here throws. A value that the
 * browser does not store, because storage is blocked or full or drops writes, stays in memory until the page is closed. */

type Kept = 'local' | 'session';

interface Unstored {
  /** null: removed. */
  text: string | null;
  /** What the browser held after the failed write. If it holds anything else later, another tab wrote it. */
  stale: string | null;
}
const memory: Record<Kept, Map<string, Unstored>> = { local: new Map(), session: new Map() };

function attempt<T>(act: () => T, otherwise: T): T {
  try {
    return act();
  } catch {
    return otherwise;
  }
}

const storageOf = (kept: Kept): Storage => globalThis[`${kept}Storage`];
const stored = (key: string, kept: Kept) => attempt(() => storageOf(kept).getItem(key) ?? null, null);

function read(key: string, kept: Kept): string | null {
  const text = stored(key, kept);
  const unstored = memory[kept].get(key);
  if (!unstored) return text;
  if (text === unstored.stale) return unstored.text;
  memory[kept].delete(key);
  return text;
}

function write(key: string, text: string | null, kept: Kept): void {
  memory[kept].delete(key);
  if (text !== null) attempt(() => storageOf(kept).setItem(key, text), undefined);
  if (text !== null && stored(key, kept) === text) return;
  /* An old value must not outlive the new one: a refresh token that was already used ends the session. */
  attempt(() => storageOf(kept).removeItem(key), undefined);
  const stale = stored(key, kept);
  if (text !== stale) memory[kept].set(key, { text, stale });
}

/** Storage key in the browser for one of our keys. */
export const keyOf = (key: string): string => `rummyd:${key}`;

export function load<T>(key: string, fallback: T, kept: Kept = 'local'): T {
  const text = read(keyOf(key), kept);
  return text === null ? fallback : attempt(() => JSON.parse(text) as T, fallback);
}

/** null removes the value. */
export function save(key: string, value: unknown, kept: Kept = 'local'): void {
  const text = value === null ? null : attempt<string | undefined>(() => JSON.stringify(value), undefined);
  if (text !== undefined) write(keyOf(key), text, kept);
}

/** Keeps only the newest `max` of the keys that begin with `prefix` and end with a table id. */
export function prune(prefix: string, max: number): void {
  const full = keyOf(prefix);
  const keys = [...attempt(() => Object.keys(localStorage), []), ...memory.local.keys()];
  const ids = [...new Set(keys)].filter((k) => k.startsWith(full) && read(k, 'local') !== null);
  ids.sort((a, b) => Number(a.slice(full.length)) - Number(b.slice(full.length)));
  for (const key of ids.slice(0, Math.max(0, ids.length - max))) write(key, null, 'local');
}
