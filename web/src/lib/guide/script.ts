/* A guided hand as data: a position, and what the newcomer does in it step by step. */
import type { Move } from '@rummyd/engine';

/** What a step points at. */
export type Target = 'stock' | 'discard' | 'finish' | 'meld' | 'hand' | 'buttons';

export interface Step {
  /** The end of its message: `guide.TEXTS.SAY`. */
  say: string;
  at: Target;
  /** Cards of the hand that it takes: marked, too. */
  cards?: readonly string[];
  /** The move that does it. Cards may be named in any order. */
  want: Move;
}

export interface Script {
  variant: string;
  /** Whose sentences it has: of a family of games that are played alike. */
  texts: string;
  /** What they name. */
  values: Record<string, string | number>;
  /** A record (docs/records.md) that begins with the position. */
  record: string;
  steps: readonly Step[];
  /** What the bot does, one move after the other. */
  bot: readonly Move[];
}

/** In any order, the cards of a group and the groups. */
function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return JSON.stringify(value.map(plain).sort());
}

/** Whether a move is the one that is wanted: what the step leaves open may be anything. */
export function isWanted(move: Move, want: Move): boolean {
  if (move.t !== want.t) return false;
  const own = (move.d ?? {}) as Record<string, unknown>;
  return Object.entries(want.d ?? {}).every(([name, value]) => plain(own[name]) === plain(value));
}
