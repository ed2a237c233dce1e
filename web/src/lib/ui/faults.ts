/* The server's errors for fields of a form. */
import { ApiError, sentence } from '$lib/api/problem';
import { say, sayOf } from '$lib/messages/messages';
import { day } from './time';

/* The fault of a nested member ("/options/target") is also shown at its parent ("/options"). */
const standsBeside = (pointer: string, fault: { pointer?: string }) =>
  fault.pointer === pointer || fault.pointer?.startsWith(`${pointer}/`) === true;

/** A sentence for the fault of a member of the request body, given by its pointer ("/email"); '' if there
 * is none. */
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

/** The text below a form's fields. If every fault is shown next to its field, only a note about that. */
export function formSentence(error: unknown, pointers: readonly string[]): string {
  const faults = error instanceof ApiError ? error.faults : [];
  const beside =
    faults.length > 0 && faults.every((f) => pointers.some((pointer) => standsBeside(pointer, f)));
  return beside ? say('form.faults') : sentence(error);
}
