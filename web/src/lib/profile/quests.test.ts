import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { questTask } from './quests';

/* The rows of the table of quests: (slot, 'id', 'counter', 'variant' or NULL, goal, gold). */
const text = readFileSync(
  fileURLToPath(new URL('../../../../db/data/15-quests.sql', import.meta.url)),
  'utf8',
);
const rows = [...text.matchAll(/^ {4}\(\d, '\w+', '(\w+)', (?:'(\w+)'|NULL), (\d+), \d+\)/gm)];

test('every quest has its own sentence that states the task', () => {
  expect(rows).toHaveLength(13);
  const tasks = rows.map((row) => questTask(row[1] ?? '', Number(row[3]), row[2] ?? null));
  expect(new Set(tasks).size).toBe(13);
  for (const task of tasks) expect(task).toMatch(/^[A-Z][^{]+$/);
  expect(questTask('any_wins', 3, 'rummy51')).toBe('Win 3 games (Rummy 51)');
  expect(questTask('of_a_later_server', 3, 'rummy51')).toBe('');
});
