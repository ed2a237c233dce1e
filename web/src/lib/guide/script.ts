/* A guided hand or a lesson as data: a position, and the newcomer's steps. */
import type { Move } from '@rummyd/engine';

/** What a step points at. */
export type Target = 'stock' | 'discard' | 'finish' | 'meld' | 'hand' | 'buttons' | 'drop';

export interface Step {
  /** Last part of its message key, `guide.TEXTS.SAY`. */
  say: string;
  at: Target;
  /** Cards of the hand that it uses, which are also marked. */
  cards?: readonly string[];
  /** The expected move. Cards may be named in any order. */
  want: Move;
  /** Praises the previous step, which was the newcomer's first success. */
  praise?: boolean;
}

export interface Script {
  variant: string;
  /** The set of texts, shared by games with similar play. */
  texts: string;
  /** Values for the texts. */
  values: Record<string, string | number>;
  /** A record (docs/records.md) that begins with the position. */
  record: string;
  steps: readonly Step[];
  /** The bot's moves, in order. */
  bot: readonly Move[];
}

/** Sorts the cards of each group, and the groups, into a canonical order. */
function plain(value: unknown): unknown {
  if (!Array.isArray(value)) return value;
  return JSON.stringify(value.map(plain).sort());
}

/** Differences between the selected cards and the cards of the step. */
export function compareCards(
  { cards = [] }: Step,
  selected: readonly string[],
): { extra: string[]; missing: string[] } {
  return {
    extra: selected.filter((card) => !cards.includes(card)),
    missing: cards.filter((card) => !selected.includes(card)),
  };
}

/** Whether a move is the expected one. Members that the step does not specify match any value. */
export function isWanted(move: Move, want: Move): boolean {
  if (move.t !== want.t) return false;
  const own = (move.d ?? {}) as Record<string, unknown>;
  return Object.entries(want.d ?? {}).every(([name, value]) => plain(own[name]) === plain(value));
}
