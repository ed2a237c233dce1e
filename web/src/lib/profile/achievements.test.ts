import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { sayAchievement, titleOf } from '$lib/messages/names';
import { achievementTask, sortAchievements, type Achievement } from './achievements';

/* The rows of the table of achievements: (position, 'id', gold, …). */
const text = readFileSync(
  fileURLToPath(new URL('../../../../db/data/07-achievements.sql', import.meta.url)),
  'utf8',
);
const rows = [...text.matchAll(/^ {4}\(\d+, +'(\w+)', \d+, '(\w+)', (\d+)\)/gm)];
const ids = rows.map((row) => row[1] ?? '');

describe('achievements', () => {
  it('have a name each, as people say it', () => {
    expect(ids).toHaveLength(30);
    const names = ids.map(sayAchievement);
    expect(new Set(names).size).toBe(30);
    for (const name of names) expect(name).not.toMatch(/\d/);
    expect(sayAchievement('unlock_tundra')).toBe('Into the Tundra');
  });
  it('say what is to be done, by counter and goal', () => {
    const tasks = rows.map((row) => achievementTask(row[2] ?? '', Number(row[3])));
    expect(new Set(tasks).size).toBe(30);
    for (const task of tasks) expect(task).toMatch(/^[A-Z][^{]+$/);
    expect(achievementTask('wins', 1)).toBe('Win a game against people');
    expect(achievementTask('wins', 2000)).toBe('Win 2,000 games against people');
    expect(achievementTask('of_a_later_server', 3)).toBe('');
  });
  it('of an operator go by their id', () => {
    expect(sayAchievement('wins_2000')).toBe(titleOf('wins_2000'));
    expect(sayAchievement('constructor')).toBe('Constructor');
  });
});

describe('achievements', () => {
  const one = (id: string, progress: number, goal: number, earned_at: string | null = null): Achievement => ({
    id,
    counter: 'wins',
    gold: 5,
    goal,
    progress,
    earned_at,
  });
  it('stand with what was earned first, then what is near', () => {
    const all = [
      one('far', 1, 10),
      one('old', 1, 1, '2026-11-20T00:00:00.000Z'),
      one('near', 9, 10),
      one('new', 1, 1, '2026-11-21T00:00:00.000Z'),
    ];
    expect(sortAchievements(all).map((a) => a.id)).toEqual(['new', 'old', 'near', 'far']);
    expect(all.map((a) => a.id)).toEqual(['far', 'old', 'near', 'new']);
  });
});
