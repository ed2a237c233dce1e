/* Whether the outcome of a failed request is known. Pure. */
import type { ApiError } from '@rummyd/client';

/** Whether to retry the same request because its outcome is unknown. Otherwise, the next attempt is a new
 * request. */
export function unknownOutcome(error: unknown): boolean {
  const status = (error as Partial<ApiError> | null)?.status;
  return status === 0 || (status !== undefined && status >= 500);
}
