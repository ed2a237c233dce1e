/* Whether the player has interacted with the page: before that, browsers require silence. */
let touched = false;

export const isTouched = () => touched;

/** Listens for the first touch or key. */
export function awaitTouch(): void {
  const first = () => {
    touched = true;
    for (const name of ['pointerdown', 'keydown'] as const) removeEventListener(name, first, true);
  };
  for (const name of ['pointerdown', 'keydown'] as const) addEventListener(name, first, true);
}
