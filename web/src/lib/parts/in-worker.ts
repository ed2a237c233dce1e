/* For workers: what they load may not arrive, either. */

/** Browsers do not report a rejected promise of a worker to the page. This turns it into an error, which fires the worker's
 * `onerror` there. */
export function reportRejections(): void {
  addEventListener('unhandledrejection', ({ reason }) => {
    setTimeout(() => {
      throw reason;
    });
  });
}
