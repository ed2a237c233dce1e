/* The page's rows against the engine's own (engine/core/params.c): a rule is written down in both, so that the
 * page can propose without asking, and must be the same. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  cardPoints,
  dealtEach,
  handPoints,
  packSize,
  placePoints,
  rulesOf,
  VARIANTS,
  type Row,
} from './rules';

const source = readFileSync(
  fileURLToPath(new URL('../../../../engine/core/params.c', import.meta.url)),
  'utf8',
);
const NAMED: Record<string, number> = {
  ENG_JOKERS_ONE_NATURAL: 0,
  ENG_JOKERS_NOT_MORE: 1,
  ENG_JOKERS_FEWER: 2,
  ENG_WILD_RANK: 1,
  ENG_FAMILY_DECLARE: 1,
};

/** The text of each row with its macros put in. */
function engineRows(): Map<string, string> {
  const flat = source.replace(/\\\n/g, ' ');
  const macros = [...flat.matchAll(/#define (ROW\w+|POOL|DEALS)\s+(.+)/g)].map(
    (m) => [m[1] ?? '', m[2] ?? ''] as const,
  );
  const code = macros.reduce(
    (text, [name, body]) => text.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), body),
    flat,
  );
  const rows = [...code.matchAll(/\{([^{}]*\.variant = "(\w+)"[^{}]*)\}/g)];
  return new Map(rows.map((m) => [m[2] ?? '', m[1] ?? '']));
}

function field(row: string, name: string): number {
  const value = new RegExp(`\\.${name} = (-?\\w+)`).exec(row)?.[1];
  return value === undefined ? 0 : (NAMED[value] ?? Number(value));
}

/** What only the laid-down games read. */
const LAID_ONLY = new Set<string>([
  'joker_points',
  'set_max',
  'jokers_opening_max',
  'jokers_set_max',
  'jokers_ratio',
  'joker_joins_set',
  'meld_in_round_1',
  'swapped_joker_kept',
  'best_high',
  'session_hands',
  'ace_low_points',
  'ace_high_points',
]);

describe('the rows of the variants', () => {
  const rows = engineRows();
  it('finds the laid-down games of the engine', () => {
    expect([...rows.keys()]).toEqual(
      expect.arrayContaining(['rummy51', 'straight', 'treff', 'rummy40', 'rami']),
    );
  });
  it.each(VARIANTS.filter((v) => rows.has(v)))('%s is the one of the engine', (variant) => {
    const rules = rulesOf(variant);
    const names = Object.keys(rules).filter(
      (n) => !['variant', 'family', 'name'].includes(n),
    ) as (keyof Row)[];
    const ours = names.filter((n) => rules.family === 'laid' || !LAID_ONLY.has(n));
    const row = rows.get(variant) ?? '';
    expect(Object.fromEntries(ours.map((n) => [n, rules[n]]))).toEqual(
      Object.fromEntries(ours.map((n) => [n, field(row, n)])),
    );
  });
});

describe('what a table says above its row', () => {
  it('changes what it names and nothing else', () => {
    const high = rulesOf('straight', {
      ace_low: 0,
      ace_high: 1,
      ace_points: 15,
      opening_min: 'x',
      unheard: 3,
    });
    expect(high).toMatchObject({ ace_low: 0, ace_high: 1, ace_points: 15, opening_min: 0, target: 150 });
    expect(high).not.toHaveProperty('unheard');
  });
  it('plays an unknown variant by some rules', () => {
    expect(rulesOf('gin')).toMatchObject({ family: 'laid', name: 'gin' });
  });
});

describe('packs and points', () => {
  it('counts the pack and the deal', () => {
    const sizes = ['rummy51', 'straight', 'treff', 'rummy40', 'rami', 'points'].map((v) =>
      packSize(rulesOf(v)),
    );
    expect(sizes).toEqual([108, 52, 107, 110, 110, 106]);
    expect([2, 3, 4].map((n) => dealtEach(rulesOf('straight'), n))).toEqual([10, 7, 7]);
  });
  it('counts an ace where it stands', () => {
    const treff = rulesOf('treff');
    expect([placePoints(treff, 0), placePoints(treff, 13), cardPoints(treff, 'AS1')]).toEqual([1, 11, 11]);
    expect(handPoints(rulesOf('straight'), ['AS1', 'KH1', '7C1'])).toBe(18);
    expect(handPoints(rulesOf('rummy51'), ['X1', 'AS1', 'TD2'])).toBe(40);
  });
});
