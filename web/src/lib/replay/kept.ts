/* The record that /replay shows, kept as long as the tab is open. */
import { load, save } from '$lib/api/storage';

const KEY = 'record';
/** Of UTF-8. The engine reads no more at once (wasm/edge.h). */
export const RECORD_MIB_MAX = 4;
export const RECORD_BYTES_MAX = RECORD_MIB_MAX << 20;

export function keepRecord(text: string): void {
  save(KEY, text, 'session');
}

/** Empty: there is none. */
export function keptRecord(): string {
  const text = load<unknown>(KEY, '', 'session');
  return typeof text === 'string' ? text : '';
}
