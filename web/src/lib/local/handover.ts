/* Tells the practice page to deal a game at once, for a player who has just learned it. */
import { router } from '$lib/router.svelte';

interface Asked {
  variant: string;
  /** Whether this is the game at the end of the lessons, with a clock and the coach. */
  learned: boolean;
}

let asked: Asked | null = null;

/** Handles a click on a link to practice. After a plain click, the game starts there without a dialog. */
export function practise(event: MouseEvent, variant: string, learned = false): void {
  router.link(event);
  if (event.defaultPrevented) asked = { variant, learned };
}

/** The requested game, or null. Returned only once. */
export function takeAsked(): Asked | null {
  const found = asked;
  asked = null;
  return found;
}
