/* For a player who has learned a game: practice deals it at once. */
import { router } from '$lib/router.svelte';

interface Asked {
  variant: string;
  /** The game at the end of the lessons: with a clock and the coach. */
  learned: boolean;
}

let asked: Asked | null = null;

/** A plain click on a link to practice: the game starts there without a dialog. */
export function practise(event: MouseEvent, variant: string, learned = false): void {
  router.link(event);
  if (event.defaultPrevented) asked = { variant, learned };
}

/** The requested game, once; otherwise null. */
export function takeAsked(): Asked | null {
  const found = asked;
  asked = null;
  return found;
}
