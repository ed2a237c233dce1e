/* The replayed deal stored in this browser, so that a reload continues it. */
import { load, save } from '$lib/api/storage';
import type { Entry } from '$lib/local/session';

const KEY = 'ghost';

export interface KeptGhost {
  game: string;
  seat: number;
  /** Number of the hand in the record. */
  hand: number;
  log: readonly Entry[];
  /** Points of the previous hands, by the player and in the record. */
  before: readonly HandPoints[];
}
export interface HandPoints {
  hand: number;
  own: number;
  theirs: number;
}

/** The saved deal, if it belongs to this game. */
export function keptGhost(game: string): KeptGhost | null {
  const kept = load<KeptGhost | null>(KEY, null);
  return kept?.game === game ? kept : null;
}

/** null if there is nothing to continue. */
export function keepGhost(kept: KeptGhost | null): void {
  save(KEY, kept);
}
