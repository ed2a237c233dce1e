/* Counts up when first visible, at the player's animation speed. */
import { Tween } from 'svelte/motion';
import { pace } from '$lib/prefs.svelte';

const COUNT_MS = 1000;

/** The current count: from 0 to `value()`, and to every later value. Call during component initialization: it
 * counts as long as the component exists. Without motion it is the value at once. */
export function counted(value: () => number): { readonly current: number } {
  const count = new Tween(0, { duration: COUNT_MS * pace() });
  $effect(() => void count.set(value()));
  return count;
}
