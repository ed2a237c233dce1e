/* Sentences for errors from the server. */
import { waiting } from '$lib/messages/format';
import { say, sayOr } from '$lib/messages/messages';
import { ApiError } from '@rummyd/client';

export { ApiError };

/** The server did not respond, or its response is not about the request, so the request can be retried. */
export function isOutage(error: unknown): boolean {
  return error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);
}

/** The error as a sentence for players: the page's own text if there is one, otherwise the server's. */
export function sentence(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : say('problem.other');
  if (error.status === 0) return say('problem.unreachable');
  return sayOr(`problem.${error.code}`, error.message, { when: waiting(error.retryS ?? 1) });
}
