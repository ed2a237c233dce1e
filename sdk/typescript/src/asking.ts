/* A request over a connection that may be dead. A request sent over a dead connection never gets a
 * response, even when the connection has recovered, so further requests are sent in parallel. */

/** If there is no response within this time, the request has failed. */
const ANSWER_MS = 10_000;
/** Interval of further requests, so that a restored connection is found within 1 s. */
const PARALLEL_MS = 900;

export interface Asking {
  /** Aborts the request; the promise is rejected. */
  signal: AbortSignal;
  /** Whether to send further requests in parallel. */
  parallel: boolean;
}

/** The first response, good or bad, to the request or to one of those sent in parallel. Each parallel
 * request aborts the previous one. */
export function firstAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { signal, parallel }: Asking,
): Promise<T> {
  return new Promise((done, failed) => {
    const first = new AbortController();
    let other = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const end = (): void => {
      clearTimeout(timer);
      clearTimeout(never);
      first.abort();
      other.abort();
    };
    const give = (error: unknown): void => {
      end();
      failed(error as Error);
    };
    const send = (control: AbortController): void => {
      ask(control.signal).then(
        (answer) => {
          if (control.signal.aborted) return;
          end();
          done(answer);
        },
        (error: unknown) => {
          if (!control.signal.aborted) give(error);
        },
      );
    };
    const sendOther = (): void => {
      other.abort();
      other = new AbortController();
      timer = setTimeout(sendOther, PARALLEL_MS);
      send(other);
    };
    const never = setTimeout(() => give(new Error('no answer')), ANSWER_MS);
    signal.addEventListener('abort', () => give(new Error('ended')), { once: true });
    if (parallel) timer = setTimeout(sendOther, PARALLEL_MS);
    send(first);
  });
}
