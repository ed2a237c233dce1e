/* The record that /replay shows, and the player's seat. Stored until the tab is closed. */
import { load, save } from '$lib/api/storage';

const KEY = 'record';
/** Maximum length in bytes of UTF-8, which is the limit of the engine (wasm/edge.h). */
export const RECORD_MIB_MAX = 4;
export const RECORD_BYTES_MAX = RECORD_MIB_MAX << 20;

export interface KeptRecord {
  /** Empty if there is none. */
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
