/* Where a fault of a request is. Pure. */
import type { Fault } from '@rummyd/client';

/** The pointer into the body, or the parameter or header it is in. */
export function placeOfFault(fault: Fault): string {
  return fault.pointer ?? fault.parameter ?? fault.header ?? '';
}
