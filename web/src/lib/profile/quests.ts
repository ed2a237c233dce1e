/* Texts of weekly quests. Pure. */
import type { components } from '@rummyd/client';
import { say } from '$lib/messages/messages';
import { rulesOf } from '$lib/rules/rules';
import { achievementTask } from './achievements';

export type Quests = components['schemas']['QuestList'];

/** The goal, and the game if only one counts. Empty if only a newer server defines the counter. */
export function questTask(counter: string, goal: number, variant: string | null): string {
  const task = achievementTask(counter, goal);
  return task && variant !== null ? say('quests.in_game', { task, game: rulesOf(variant).name }) : task;
}
