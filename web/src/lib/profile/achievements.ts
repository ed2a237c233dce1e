/* Achievements: names, goals, and display order. Pure. */
import type { components } from '@rummyd/client';
import { sayOr } from '$lib/messages/messages';

export type Achievement = components['schemas']['AchievementList']['items'][number];

/** The goal, or empty if only a newer server defines the counter. */
export function achievementTask(counter: string, goal: number): string {
  const task = `achievement.task.${counter}`;
  return sayOr(task, '', { goal });
}

/** Earned ones first, starting with the latest; then the others by progress. */
export function sortAchievements(items: readonly Achievement[]): Achievement[] {
  const share = (a: Achievement) => (a.goal > 0 ? a.progress / a.goal : 0);
  return [...items].sort((a, b) => {
    if (a.earned_at !== null && b.earned_at !== null) return b.earned_at.localeCompare(a.earned_at);
    if (a.earned_at !== null || b.earned_at !== null) return a.earned_at !== null ? -1 : 1;
    return share(b) - share(a);
  });
}
