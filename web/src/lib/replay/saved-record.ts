/* The record that /replay shows, and which seat was the player's; stored as long as the tab is open. */
import { load, save } from '$lib/api/storage';

const KEY = 'record';
/** In bytes of UTF-8. The engine reads no more at once (wasm/edge.h). */
export const RECORD_MIB_MAX = 4;
export const RECORD_BYTES_MAX = RECORD_MIB_MAX << 20;

export interface KeptRecord {
  /** Empty: there is none. */
  text: string;
  own: number | null;
}

const NONE: KeptRecord = { text: '', own: null };

export function keepRecord(text: string, own: number | null = null): void {
  save(KEY, { text, own }, 'session');
}

export function keptRecord(): KeptRecord {
  const kept = load<Partial<KeptRecord> | null>(KEY, null, 'session');
  return typeof kept?.text === 'string' ? { text: kept.text, own: kept.own ?? null } : NONE;
}
