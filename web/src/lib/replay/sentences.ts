/* Sentences of the analysis about a turn. */
import { say } from '$lib/messages/messages';
import type { TurnWeighed } from './analysis';

/** Points with at most one decimal place. */
export const rounded = (points: number) => Math.round(points * 10) / 10;

/** What the player missed in a turn, or what it cost. doer: the player of the turn. */
export function costSentence(t: TurnWeighed, doer: { you: boolean; who: string }): string {
  if (t.missed) return say('analysis.missed', { ...doer, missed: t.missed, n: t.opening });
  return say('analysis.cost', {
    ...doer,
    n: rounded(t.loss),
    draw: t.drawLoss >= t.loss - t.drawLoss ? 'yes' : 'no',
  });
}
