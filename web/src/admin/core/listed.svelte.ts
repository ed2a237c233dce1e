/* A list whose filters are kept in the query of the address. */
import { Paged, type Chunk } from '$lib/ui/paged.svelte';
import { filtersOf, type Filter } from './filters';
import { route } from './route.svelte';

type Query = Record<string, string> & { cursor?: string };

/** Loads it now, and again whenever a filter changes. Must be called during component initialization. */
export function listed<T>(
  fetch: (query: Query) => Promise<Chunk<T>>,
  filters: readonly Filter[] = [],
  more: () => Record<string, string> = () => ({}),
): Paged<T> {
  const asked = () => ({ ...filtersOf(filters, Object.fromEntries(route.query)), ...more() });
  const list = new Paged<T>((page) => fetch({ ...asked(), ...page }));
  let before: string | undefined;
  $effect(() => {
    const now = JSON.stringify(asked());
    if (now === before) return;
    before = now;
    void list.first(true);
  });
  return list;
}
