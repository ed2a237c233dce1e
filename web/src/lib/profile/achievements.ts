/* Achievements: their names, what is to be done for them, and the order they are shown in. Pure. */
import type { components } from '@rummyd/client';
import { sayOr } from '$lib/messages/messages';

export type Achievement = components['schemas']['AchievementList']['items'][number];

/** What is to be done for it; empty for a counter of a later server. */
export function achievementTask(counter: string, goal: number): string {
  const task = `achievement.task.${counter}`;
  return sayOr(task, '', { goal });
}

/** Earned ones first, the latest of them foremost; then by how near they are. */
export function sortAchievements(items: readonly Achievement[]): Achievement[] {
  const share = (a: Achievement) => (a.goal > 0 ? a.progress / a.goal : 0);
  return [...items].sort((a, b) => {
    if (a.earned_at !== null && b.earned_at !== null) return b.earned_at.localeCompare(a.earned_at);
    if (a.earned_at !== null || b.earned_at !== null) return a.earned_at !== null ? -1 : 1;
    return share(b) - share(a);
  });
}
