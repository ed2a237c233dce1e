/* Taps that come so soon after another one that nobody can have meant them: of a double tap, or on a button that has just
 * come to where another one was. They choose and draw, but never throw a card away. */

export const SECOND_TAP_MS = 350;

let last = -Infinity;
let hasty = false;

/** Tells of each press of a pointer, before anything acts on it; `at` in milliseconds of the event. */
export function tapped(at: number): void {
  hasty = at - last < SECOND_TAP_MS;
  last = at;
}

/** Does `work` unless the press that led here was a second tap. Keys press nothing twice by mistake: they are not asked. */
export function unlessHasty(event: MouseEvent, work: () => void): void {
  /* A click that no pointer made (Enter on a button) has no number. */
  if (event.detail === 0 || !hasty) work();
}
