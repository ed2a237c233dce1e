/* What a list may be bounded by, and the query that comes of it. Pure. */
import { timeOf } from './times';

export interface Filter {
  /** The parameter of the query. */
  name: string;
  label: string;
  /** All that it can be; left out: anything. */
  of?: readonly string[];
  /** A time of UTC. */
  time?: boolean;
}

/** Those that are set, as they stand in the address and are sent. */
export function filtersOf(filters: readonly Filter[], typed: Record<string, string>): Record<string, string> {
  const set: Record<string, string> = {};
  for (const { name, time } of filters) {
    const value = (typed[name] ?? '').trim();
    if (value) set[name] = time ? timeOf(value) : value;
  }
  return set;
}
