/* What counts up when it is first seen, as fast as the player lets things move. */
import { Tween } from 'svelte/motion';
import { pace } from '$lib/prefs.svelte';

const COUNT_MS = 1000;

/** Where the count stands: from nothing to `value()`, and on to every later value. For the first lines of a component: it
 * counts as long as that is shown. Where nothing moves it is the value at once. */
export function counted(value: () => number): { readonly current: number } {
  const count = new Tween(0, { duration: COUNT_MS * pace() });
  $effect(() => void count.set(value()));
  return count;
}
