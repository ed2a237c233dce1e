import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { achievementName } from './achievements';
import { titleOf } from './meta';

/* The rows of the table of achievements: (position, 'id', gold, …). */
const text = readFileSync(
  fileURLToPath(new URL('../../../../db/data/07-achievements.sql', import.meta.url)),
  'utf8',
);
const ids = [...text.matchAll(/^ {4}\(\d+, +'(\w+)', \d+, /gm)].map((row) => row[1] ?? '');

describe('achievements', () => {
  it('have a name each, as people say it', () => {
    expect(ids).toHaveLength(30);
    const names = ids.map(achievementName);
    expect(new Set(names).size).toBe(30);
    for (const name of names) expect(name).not.toMatch(/\d/);
    expect(achievementName('unlock_tundra')).toBe('Into the Tundra');
  });
  it('of an operator go by their id', () => {
    expect(achievementName('wins_2000')).toBe(titleOf('wins_2000'));
    expect(achievementName('constructor')).toBe('Constructor');
  });
});
