/* Taps that follow another one in the same spot too soon to be intended: the second half of a double tap, or
 * a tap on a button that has just replaced another one. They select and draw, but never discard a card. A
 * quick tap in another spot counts. */

export const SECOND_TAP_MS = 350;
/** Two taps of one stationary finger are closer together than this. */
export const SAME_SPOT_PX = 32;

type Press = Pick<PointerEvent, 'timeStamp' | 'clientX' | 'clientY'>;

let last: Press = { timeStamp: -Infinity, clientX: 0, clientY: 0 };
let hasty = false;

/** Records each pointer press before anything acts on it. */
export function tapped({ timeStamp, clientX, clientY }: Press): void {
  const near = Math.hypot(clientX - last.clientX, clientY - last.clientY) < SAME_SPOT_PX;
  hasty = near && timeStamp - last.timeStamp < SECOND_TAP_MS;
  last = { timeStamp, clientX, clientY };
}

/** Calls `work` unless the press that caused the event was a second tap. Keys always work, because they
 * have no double taps. */
export function unlessHasty(event: MouseEvent, work: () => void): void {
  /* A click without a pointer (Enter on a button) has `detail` 0. */
  if (event.detail === 0 || !hasty) work();
}
