import { readFileSync } from 'node:fs';
import { load } from '@rummyd/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { judgeGrouping, NO_WILD } from '$lib/rules/groups';
import { rulesOf, type Row, type Rules } from '$lib/rules/rules';
import variants from '$lib/rules/variants.json';
import { openingExample, PICTURES } from './examples';
import { rulebook } from './rulebook';

type Engine = Awaited<ReturnType<typeof load>>;
type Field = keyof Row;
let engine: Engine;
beforeAll(async () => {
  engine = await load();
});

const NAMES = Object.keys(variants);
const said = (rules: Rules) =>
  rulebook(rules)
    .flatMap((s) => [s.title, ...s.lines.map((l) => l.text)])
    .join('\n');

/* Every option of a private table, with two values. */
const OPTIONS: Record<string, (string | number)[]> = {
  ace: ['low', 'high'],
  target: [120, 400],
  rounds: [2, 5],
  opening_min: [30, 75],
  turn_s: [17, 90],
  hand_s: [77, 900],
  taken_discard_in_opening: [0, 1],
  wild_scope: ['rank', 'exact'],
  wild_natural_pure: [0, 1],
};

/** The engine's rule parameters for a table with this option; null if the variant has no such option. */
function rowWith(variant: string, name: string, value: string | number): Record<string, number> | null {
  try {
    const players = 2;
    const game = engine.newGame({ variant, players, options: { [name]: value } });
    const { params } = game.view();
    game.close();
    return params;
  } catch {
    return null;
  }
}

/* Fields without effect, and the condition on the parameters that makes them so. */
const SILENT: Record<string, (rules: Rules) => boolean> = {
  family: () => true /* its value selects another set of fields */,
  set_max: (r) => r.family === 'declare',
  joker_points: (r) => r.jokers === 0,
  hands_negative: (r) => r.winner_takes === 1,
  win_points: (r) => r.winner_takes === 1,
  below_minimum: (r) => r.opening_min === 0,
  taken_discard_in_opening: (r) => r.discard_obliges === 0,
  wild_natural_pure: (r) => r.wild_scope === 0,
  ace_low_points: (r) => r.ace_low === 0,
  ace_high_points: (r) => r.ace_high === 0,
  session_hands: (r) => r.pool === 1 /* the session ends long before */,
  target: (r) => r.pool === 0 && r.target === 0 /* another sentence contains the number of hands */,
  start_points: (r) => r.start_points === 0,
  best_high: (r) => r.pool === 1,
  drop_middle: (r) => r.drop_first === 0,
  last_discard_forced: (r) => r.stock_flips > 0,
  hand_win_points: (r) => r.winner_takes === 1,
};
const DECLARE_ONLY: Field[] = [
  'wild_scope',
  'wild_natural_pure',
  'points_cap',
  'wrong_points',
  'drop_first',
  'drop_middle',
  'leave_points',
  'group_s',
  'pool',
  'rejoin_max',
  'start_points',
  'tie_hands',
];
const MELD_ONLY: Field[] = [
  'jokers_opening_max',
  'jokers_set_max',
  'jokers_ratio',
  'jokers_apart',
  'joker_joins_set',
  'opening_min',
  'below_minimum',
  'meld_in_round_1',
  'discard_obliges',
  'taken_discard_in_opening',
  'lay_off_unopened',
  'swap_set_full',
  'swapped_joker_kept',
  'joker_buried',
  'win_points',
  'hand_win_points',
  'never_opened_points',
  'last_discard_forced',
  'one_card_rule',
  'lowest_wins',
  'rummy_winner_factor',
  'rummy_losers_factor',
  'hands_negative',
  'starter_extra',
  'stock_flips',
];
const JOKER_FIELDS: Field[] = [
  'jokers_opening_max',
  'jokers_set_max',
  'jokers_ratio',
  'jokers_apart',
  'joker_joins_set',
  'swap_set_full',
  'swapped_joker_kept',
  'joker_buried',
];

function silent(rules: Rules, field: Field): boolean {
  if (rules.family === 'meld' ? DECLARE_ONLY.includes(field) : MELD_ONLY.includes(field)) return true;
  if (rules.jokers === 0 && JOKER_FIELDS.includes(field)) return true;
  return SILENT[field]?.(rules) ?? false;
}

/* Ranges as in the engine: ENG_PARAM(field, least, greatest). */
const RANGES = new Map(
  [
    ...readFileSync('../engine/core/params.def', 'utf8').matchAll(/^ENG_PARAM\((\w+), (-?\d+), (\d+)\)/gm),
  ].map(([, field, least, greatest]) => [field, { least: Number(least), greatest: Number(greatest) }]),
);

/** Another value of the field, next to the current one. */
function other(value: number, field: Field): number {
  const range = RANGES.get(field);
  if (!range) throw new Error(`${field} is no parameter`);
  return value < range.greatest ? value + 1 : value - 1;
}

describe('the rules in sentences', () => {
  it.each(NAMES)('change with each field that changes a rule of %s', (variant) => {
    const rules = rulesOf(variant);
    const fields = Object.keys(variants.rummy51.params) as Field[];
    const before = said(rules);
    const deaf = fields.filter((field) => {
      const changed = said(rulesOf(variant, { [field]: other(rules[field], field) }));
      return !silent(rules, field) && changed === before;
    });
    expect(deaf).toEqual([]);
  });

  it.each(NAMES)('change with each option of a table of %s', (variant) => {
    const plain = said(rulesOf(variant));
    let options = 0;
    for (const [name, values] of Object.entries(OPTIONS)) {
      const rows = values.map((value) => rowWith(variant, name, value)).filter((row) => row !== null);
      if (rows.length === 0) continue;
      options++;
      const texts = rows.map((row) => said(rulesOf(variant, row)));
      expect(new Set(texts).size, name).toBe(values.length);
      expect(texts.some((text) => text !== plain)).toBe(true);
    }
    expect(options).toBeGreaterThan(0);
  });

  it.each(NAMES)('have no key without a sentence and no place left open: %s', (variant) => {
    expect(said(rulesOf(variant))).not.toMatch(/rulebook\.|undefined|NaN|[{}]/);
  });

  it.each(NAMES.filter((v) => rulesOf(v).family === 'meld'))('tell what a Rummy is: %s', (variant) => {
    const lines = said(rulesOf(variant)).split('\n');
    expect(lines.filter((line) => /\bRummy\b/.test(line))).toHaveLength(1);
  });

  it.each([
    ['rummy51', 'Once you’ve opened, you can add cards'],
    ['treff', 'Once you’ve laid a meld of your own, you can add cards'],
    ['straight', 'even before you’ve laid one of your own'],
  ])('tell when the player of %s may add cards', (variant, text) => {
    expect(said(rulesOf(variant))).toContain(text);
  });

  it.each([
    ['deals2', 'no one takes any points'],
    ['pool101', 'everyone counts their cards'],
  ])('tell what a hand of %s without a winner costs', (variant, text) => {
    expect(said(rulesOf(variant))).toContain(text);
  });

  it('know every variant of the engine', () => {
    expect(engine.variants.map((v) => v.variant).sort()).toEqual([...NAMES].sort());
  });
});

describe('the cards that are shown', () => {
  it.each(NAMES.filter((v) => rulesOf(v).family === 'meld'))('open as the engine counts: %s', (variant) => {
    const least = rulesOf(variant).opening_min;
    for (const opening_min of least > 0 ? [40, 51, 75] : [0]) {
      const rules = rulesOf(variant, { opening_min });
      const example = openingExample(rules);
      const best = engine.arrange({ variant, params: { opening_min } }, example?.melds.flat() ?? []);
      expect(best.rest).toEqual([]);
      expect(best.worth).toBe(example?.worth);
      expect(best.worth).toBeGreaterThanOrEqual(opening_min);
    }
  });

  it('are 51 and 40 in the games that are named so', () => {
    expect(openingExample(rulesOf('rummy51'))?.worth).toBe(51);
    expect(openingExample(rulesOf('rummy40'))?.worth).toBe(40);
  });

  it.each(NAMES.filter((v) => rulesOf(v).family === 'declare'))('declare: %s', (variant) => {
    const cards = PICTURES.declaration.flat();
    expect(cards).toHaveLength(13);
    expect(judgeGrouping(NO_WILD, PICTURES.declaration, []).valid).toBe(true);
    expect(engine.arrange({ variant }, cards).points).toBe(0);
  });

  it.each(NAMES.filter((v) => rulesOf(v).family === 'meld' && rulesOf(v).jokers > 0))(
    'are melds of %s',
    (variant) => {
      for (const meld of [PICTURES.run, PICTURES.longer, PICTURES.set, PICTURES.joker, PICTURES.swap])
        expect(engine.arrange({ variant }, meld).rest).toEqual([]);
    },
  );
});
