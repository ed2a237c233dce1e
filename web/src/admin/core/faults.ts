/* Location of a fault in a request. Pure. */
import type { Fault } from '@rummyd/client';

/** The pointer into the body, or the name of the parameter or header. */
export function placeOfFault(fault: Fault): string {
  return fault.pointer ?? fault.parameter ?? fault.header ?? '';
}
