/* Weekly quests: what one asks for. Pure. */
import type { components } from '@rummyd/client';
import { say } from '$lib/messages/messages';
import { rulesOf } from '$lib/rules/rules';
import { achievementTask } from './achievements';

export type Quests = components['schemas']['QuestList'];

/** What is to be done for it, and in which game where only one counts; empty for a counter of a later server. */
export function questTask(counter: string, goal: number, variant: string | null): string {
  const task = achievementTask(counter, goal);
  return task && variant !== null ? say('quests.in_game', { task, game: rulesOf(variant).name }) : task;
}
