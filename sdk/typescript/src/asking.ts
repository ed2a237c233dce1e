/* A question over a line that may be dead: a request that went out into nothing is never answered, not even when the
 * line is back, so others are sent beside it. */

/** Nothing has come by then: the question has failed. */
const ANSWER_MS = 10_000;
/** So often another one is sent: a line that is back is found within a second. */
const BESIDE_MS = 900;

export interface Asking {
  /** Ends it; the promise is rejected. */
  signal: AbortSignal;
  /** Ask beside what is on its way. */
  beside: boolean;
}

/** The first answer, good or bad, of a request that is waited for and of those sent beside it, of which each ends the
 * one before. */
export function firstAnswer<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  { signal, beside }: Asking,
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
      timer = setTimeout(sendOther, BESIDE_MS);
      send(other);
    };
    const never = setTimeout(() => give(new Error('no answer')), ANSWER_MS);
    signal.addEventListener('abort', () => give(new Error('ended')), { once: true });
    if (beside) timer = setTimeout(sendOther, BESIDE_MS);
    send(first);
  });
}
