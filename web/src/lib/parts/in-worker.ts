/* For workers, whose dynamic imports may also fail. */

/** Browsers do not report a promise that is rejected in a worker to the page. This turns the rejection into
 * an error, which fires the worker's `onerror` on the page. */
export function reportRejections(): void {
  addEventListener('unhandledrejection', ({ reason }) => {
    setTimeout(() => {
      throw reason;
    });
  });
}
