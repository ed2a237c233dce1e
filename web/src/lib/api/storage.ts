/* What the browser keeps, between visits or (`session`) as long as its tab is open. Every read copes with storage that is
 * off, full or spoilt. */

type Kept = 'local' | 'session';

export function load<T>(key: string, fallback: T, kept: Kept = 'local'): T {
  try {
    const text = globalThis[`${kept}Storage`].getItem(`rummyd:${key}`);
    return text === null ? fallback : (JSON.parse(text) as T);
  } catch {
    return fallback;
  }
}

export function save(key: string, value: unknown, kept: Kept = 'local'): void {
  try {
    const storage = globalThis[`${kept}Storage`];
    if (value === null) storage.removeItem(`rummyd:${key}`);
    else storage.setItem(`rummyd:${key}`, JSON.stringify(value));
  } catch {
    /* storage is off or full: the page works without it */
  }
}

/** Keeps only the newest `max` of the keys that begin with `prefix` and end with a table id. */
export function prune(prefix: string, max: number): void {
  try {
    const full = `rummyd:${prefix}`;
    const ids = Object.keys(localStorage).filter((k) => k.startsWith(full));
    ids.sort((a, b) => Number(a.slice(full.length)) - Number(b.slice(full.length)));
    for (const key of ids.slice(0, Math.max(0, ids.length - max))) localStorage.removeItem(key);
  } catch {
    /* as above */
  }
}
