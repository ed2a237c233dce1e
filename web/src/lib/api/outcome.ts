/* What is known of a try that failed. Pure. */
import type { ApiError } from '@rummyd/client';

/** Whether the same request is to be tried again: nobody knows what came of it. Otherwise the next try is a new one. */
export function unknownOutcome(error: unknown): boolean {
  const status = (error as Partial<ApiError> | null)?.status;
  return status === 0 || (status !== undefined && status >= 500);
}
