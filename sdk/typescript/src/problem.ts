/* Error responses from the server. */
import type { components } from './gen/rest.js';

export type Problem = components['schemas']['Problem'];
/** One fault in a request. A problem may list several faults. */
export type Fault = components['schemas']['Fault'];

/** A problem response of the server. If there was no response, the code is `unreachable` and the status is
 * 0. The message is in English, for developers. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly faults: readonly Fault[];
  /** Token to continue a sign-in that is waiting for its second factor; '' otherwise. */
  readonly challenge: string;
  /** Seconds until a retry can succeed, if the server sent Retry-After. */
  readonly retryS: number | null;
  /** The same as a point in time. */
  readonly retryAt: string | null;
  constructor(problem: Partial<Problem> | undefined, status: number) {
    const code = problem?.code ?? 'unreachable';
    super(problem?.detail ?? problem?.title ?? code);
    this.code = code;
    this.status = status;
    this.faults = problem?.errors ?? [];
    this.challenge = problem?.challenge ?? '';
    this.retryS = problem?.retry_s ?? null;
    this.retryAt = problem?.retry_s ? new Date(Date.now() + problem.retry_s * 1000).toISOString() : null;
  }
}
