/* For whoever has learned a game: practice deals it at once. */
import { router } from '$lib/router.svelte';

let asked = '';

/** A plain click on a link to practice: there the game begins without a question. */
export function practise(event: MouseEvent, variant: string): void {
  router.link(event);
  if (event.defaultPrevented) asked = variant;
}

/** The game that was asked for, once; else ''. */
export function takeAsked(): string {
  const variant = asked;
  asked = '';
  return variant;
}
