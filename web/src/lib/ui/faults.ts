/* What the server finds wrong with the fields of a form. */
import { ApiError, sentence } from '$lib/api/problem';
import { say, sayOf } from '$lib/messages/messages';
import { day } from './time';

/* The fault of a member's own member stands beside it, too: "/options/target" beside "/options". */
const standsBeside = (pointer: string, fault: { pointer?: string }) =>
  fault.pointer === pointer || fault.pointer?.startsWith(`${pointer}/`) === true;

/** What is wrong with a member of the body, given by its pointer ("/email"), as a sentence; '' when nothing is. */
export function faultOf(error: unknown, pointer: string): string {
  if (!(error instanceof ApiError)) return '';
  const fault = error.faults.find((f) => standsBeside(pointer, f));
  if (!fault) return '';
  const { min = '', max = '', allowed = [] } = fault;
  return sayOf('fault', fault.code, {
    min,
    max,
    allowed: allowed.join(', '),
    when: error.retryAt ? day(error.retryAt) : '',
  });
}

/** What a form says below its fields: when each fault stands beside one of them, only that. */
export function formSentence(error: unknown, pointers: readonly string[]): string {
  const faults = error instanceof ApiError ? error.faults : [];
  const beside =
    faults.length > 0 && faults.every((f) => pointers.some((pointer) => standsBeside(pointer, f)));
  return beside ? say('form.faults') : sentence(error);
}
