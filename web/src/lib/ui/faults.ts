/* The server's complaints about fields of a form. */
import { ApiError, sentence } from '$lib/api/problem';
import { say, sayOf } from '$lib/messages/messages';
import { day } from './time';

/* The fault of a nested member is shown at its parent, too: "/options/target" at "/options". */
const standsBeside = (pointer: string, fault: { pointer?: string }) =>
  fault.pointer === pointer || fault.pointer?.startsWith(`${pointer}/`) === true;

/** The complaint about a member of the body, given by its pointer ("/email"), as a sentence; '' if there is
 * none. */
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

/** The text below a form's fields: if each fault is next to a field, only a note about that. */
export function formSentence(error: unknown, pointers: readonly string[]): string {
  const faults = error instanceof ApiError ? error.faults : [];
  const beside =
    faults.length > 0 && faults.every((f) => pointers.some((pointer) => standsBeside(pointer, f)));
  return beside ? say('form.faults') : sentence(error);
}
