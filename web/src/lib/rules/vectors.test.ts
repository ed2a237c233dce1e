/* The shared vectors of hand evaluation (tests/vectors/groupings.txt), with which the engine is tested: the
 * page must judge every group and grouping as the engine does. `hand` and `best` concern only the
 * solver. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { judgeGroup, judgeGrouping, NO_WILD, type Wild } from './groups';

const PATH = '../../../../tests/vectors/groupings.txt';
const text = readFileSync(fileURLToPath(new URL(PATH, import.meta.url)), 'utf8');

interface Vector {
  name: string;
  lines: string[];
}

function vectorsOf(file: string): Vector[] {
  const lines = file.split('\n').map((l) => l.replace(/(^|\s);.*$/, '').trim());
  const found: Vector[] = [];
  for (const line of lines) {
    if (line.startsWith('vector ')) found.push({ name: line.slice(7), lines: [] });
    else if (line) found.at(-1)?.lines.push(line);
  }
  return found;
}

function wildOf(words: string[]): Wild {
  const [card = '', ...rest] = words;
  const none = card === '' || card === 'none';
  return { card: none ? null : card, exact: rest.includes('exact'), naturalPure: !rest.includes('spoils') };
}

const REASONS: Record<string, RegExp> = {
  needs_pure_sequence: /pure sequence/,
  needs_two_sequences: /second sequence/,
  grouping_incomplete: /in no group|three cards/,
};

/** Checks a vector line by line; returns the number of checks. */
function run({ lines }: Vector): number {
  let wild = NO_WILD;
  let judged = judgeGrouping(wild, [], []);
  let checked = 0;
  let ours = false;
  for (const line of lines) {
    const [word = '', ...words] = line.split(/\s+/);
    if (word === 'wild') wild = wildOf(words);
    else if (word === 'group') {
      expect(judgeGroup(wild, words.slice(1)), line).toBe(words[0]);
      checked++;
    } else if (word === 'grouping') {
      const [made = '', rest = ''] = words.join(' ').split('/');
      const cards = (part: string) => part.trim().split(/\s+/).filter(Boolean);
      judged = judgeGrouping(
        wild,
        made
          .split('|')
          .map(cards)
          .filter((g) => g.length > 0),
        cards(rest),
      );
      ours = true;
    } else if (word === 'hand') ours = false;
    else if (ours && (word === 'valid' || word === 'wrong')) {
      expect(judged.valid, line).toBe(word === 'valid');
      expect(judged.reason, line).toMatch(REASONS[words[0] ?? ''] ?? /^$|neither/);
      checked++;
    } else if (ours && word === 'points') {
      expect(judged.points, line).toBe(Number(words[0]));
      checked++;
    }
  }
  return checked;
}

describe('the shared vectors of hand evaluation', () => {
  const vectors = vectorsOf(text).filter((v) => v.lines.some((l) => /^group(ing)? /.test(l)));
  it('are found', () => expect(vectors.length).toBeGreaterThan(20));
  it.each(vectors.map((v) => [v.name, v] as const))('%s', (_name, vector) => {
    expect(run(vector)).toBeGreaterThan(0);
  });
});
