/* What the server refuses, and how it is said. */
import type { components } from './schema';

type Problem = components['schemas']['Problem'];

/** What went wrong, as a sentence for people. */
export class ApiError extends Error {
  readonly code: string;
  readonly status: number;
  constructor(problem: Partial<Problem> | undefined, status: number) {
    super(problem?.detail ?? problem?.title ?? 'The server could not be reached.');
    this.code = problem?.code ?? 'unreachable';
    this.status = status;
  }
}

export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : 'Something went wrong.';
}
