/* A number that counts up when it is first visible, at the player's animation speed. */
import { Tween } from 'svelte/motion';
import { pace } from '$lib/prefs.svelte';

const COUNT_MS = 1000;

/** The current count, which runs from 0 to `value()` and then to every later value. Must be called during
 * component initialization; it counts as long as the component exists. If animations are off, it has the
 * final value at once. */
export function counted(value: () => number): { readonly current: number } {
  const count = new Tween(0, { duration: COUNT_MS * pace() });
  $effect(() => void count.set(value()));
  return count;
}
