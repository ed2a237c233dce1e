/* Filters of a list, and the query built from them. Pure. */
import { timeOf } from './times';

export interface Filter {
  /** Name of the query parameter. */
  name: string;
  label: string;
  /** Permitted values; omitted: any. */
  of?: readonly string[];
  /** A time in UTC. */
  time?: boolean;
}

/** Active filters, in the form used in the address and the request. */
export function filtersOf(filters: readonly Filter[], typed: Record<string, string>): Record<string, string> {
  const set: Record<string, string> = {};
  for (const { name, time } of filters) {
    const value = (typed[name] ?? '').trim();
    if (value) set[name] = time ? timeOf(value) : value;
  }
  return set;
}
