/* A guided hand as data: a position, and what the newcomer does in it step by step. */
import type { Move } from '@rummyd/engine';

/** What a step points at. */
export type Target = 'stock' | 'discard' | 'finish' | 'meld' | 'hand' | 'buttons';

export interface Step {
  /** The end of its message: `guide.VARIANT.SAY`. */
  say: string;
  at: Target;
  /** Cards of the hand that it takes: marked, too. */
  cards?: readonly string[];
  /** The move that does it. Cards may be named in any order. */
  want: Move;
}

export interface Script {
  variant: string;
  /** A record (docs/records.md) that begins with the position. */
  record: string;
  steps: readonly Step[];
  /** What the bot does, one move after the other. */
  bot: readonly Move[];
}

const sorted = (cards: readonly string[]) => [...cards].sort().join(' ');

/** Whether a move is the one that is wanted: what the step leaves open may be anything. */
export function isWanted(move: Move, want: Move): boolean {
  if (move.t !== want.t) return false;
  const own = (move.d ?? {}) as Record<string, unknown>;
  return Object.entries(want.d ?? {}).every(([name, value]) => {
    if (name === 'groups') return true; // how a good hand is grouped is the player's affair
    const said = own[name];
    if (Array.isArray(value) && Array.isArray(said))
      return sorted(value as string[]) === sorted(said as string[]);
    return said === value;
  });
}
