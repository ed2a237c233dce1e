/* What the server refuses, and how it is said. */
import { say, sayOr } from '$lib/messages/messages';
import type { components } from './schema';

type Problem = components['schemas']['Problem'];
/** One thing that is wrong with a request, of which a problem may list several. */
type Fault = components['schemas']['Fault'];

/** In the page's words where it has any, else as the server said it. */
function wordsOf(problem: Partial<Problem> | undefined): string {
  if (!problem?.code) return say('problem.unreachable');
  const { code, detail, title = code, retry_s = 1 } = problem;
  return sayOr(`problem.${code}`, detail ?? title, { retry_s });
}

/** What went wrong, as a sentence for people. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  readonly faults: readonly Fault[];
  /** With which a log-in goes on that waits for its second factor; '' otherwise. */
  readonly challenge: string;
  /** When the same may pass, where the server says how long to wait. */
  readonly retryAt: string | null;
  constructor(problem: Partial<Problem> | undefined, status: number) {
    super(wordsOf(problem));
    this.code = problem?.code ?? 'unreachable';
    this.status = status;
    this.faults = problem?.errors ?? [];
    this.challenge = problem?.challenge ?? '';
    this.retryAt = problem?.retry_s ? new Date(Date.now() + problem.retry_s * 1000).toISOString() : null;
  }
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}
