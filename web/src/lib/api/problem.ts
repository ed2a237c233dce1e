/* How what the server refuses is said. */
import { say, sayOr } from '$lib/messages/messages';
import { ApiError } from '@rummyd/client';

export { ApiError };

/** No answer, or one that says nothing of what was asked: it may be asked again. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** What went wrong, as a sentence for people: in the page's words where it has any, else as the server said it. */
export function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : say('problem.other');
  if (error.status === 0) return say('problem.unreachable');
  return sayOr(`problem.${error.code}`, error.message, { retry_s: error.retryS ?? 1 });
}
