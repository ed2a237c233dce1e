/* Work that can wait until the requested page is drawn. */
const LATEST_MS = 2000;

/** A browser without requestIdleCallback waits a moment. */
export function whenIdle(act: () => void): void {
  if ('requestIdleCallback' in window) requestIdleCallback(act, { timeout: LATEST_MS });
  else setTimeout(act, LATEST_MS / 2);
}
