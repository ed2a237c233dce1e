/* Names and addresses of the stages of a game's path. */
import { say, sayOf } from '$lib/messages/messages';
import { rulesOf } from '$lib/rules/rules';
import type { Lesson, Stage } from './lessons';

/** Seconds per turn in the last stage. */
export const GAME_TURN_S = 60;

export function stageName(stage: Stage): string {
  if (stage === 'guide') return say('path.stage.guide');
  return stage === 'game' ? say('path.stage.game') : sayOf('lesson', stage);
}

/** One-line description. */
export function stageAbout(variant: string, stage: Stage): string {
  if (stage === 'guide') return say('path.stage.guide.about');
  if (stage === 'game') return say('path.stage.game.about', { s: GAME_TURN_S });
  const { opening_min, drop_first, drop_middle } = rulesOf(variant);
  return say(`lesson.${stage}.about`, { min: opening_min, first: drop_first, middle: drop_middle });
}

/** Summary of what the lesson taught. */
export function lessonSum(lesson: Lesson, values: Record<string, string | number>): string {
  return say(`lesson.${lesson}.sum`, values);
}

export function stageAddress(variant: string, stage: Stage): string {
  if (stage === 'guide') return `/learn/${variant}`;
  return stage === 'game' ? '/practice' : `/lessons/${variant}/${stage}`;
}
