import { load, type Engine } from '@rummyd/engine';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { judgeGroup, judgeGrouping, NO_WILD, type Wild } from '$lib/rules/groups';
import { rulesOf } from '$lib/rules/rules';
import { arranger } from './arrange';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});
vi.mock('$lib/engine/engine', () => ({ theEngine: () => Promise.resolve(engine) }));

const wild = (card: string): Wild => ({ card, exact: false, naturalPure: true });
const hand = (text: string) => text.split(' ');

async function arrangeGroups({ card }: Wild, cards: string[]): Promise<string[][]> {
  return (await arranger({ rules: rulesOf('points'), wildCard: card }))(cards).groups;
}
const shown = async (w: Wild, text: string) =>
  (await arrangeGroups(w, hand(text))).map((group) => group.join(' '));

describe('the arranged hand', () => {
  it('groups a set though no sequence is there yet', async () => {
    const cards = '4S1 6S1 8S1 AH1 3H1 9H1 QH1 AC1 3C1 QC1 TD1 QD1 QD2 6D1';
    const groups = await arrangeGroups(wild('9D1'), hand(cards));
    expect(groups.length).toBeGreaterThan(0);
    for (const g of groups) expect(judgeGroup(wild('9D1'), g)).not.toBe('none');
    expect(groups.flat()).toEqual(expect.arrayContaining(['QH1', 'QC1']));
  });
  it('keeps a pure sequence whole rather than lose fewer points', async () => {
    /* The three kings and the sequence share the king of hearts. */
    expect(await shown(NO_WILD, 'JH1 QH1 KH1 KS1 KC1 AC1 AS1 2D1')).toEqual(['JH1 QH1 KH1']);
  });
  it('finds the second sequence before a dearer set', async () => {
    const groups = await arrangeGroups(NO_WILD, hand('5H1 6H1 7H1 2C1 3C1 X1 KS1 KD1 9C1'));
    expect(groups.map((g) => judgeGroup(NO_WILD, g))).toEqual(['pure', 'sequence']);
    expect(groups[1]).toEqual(['2C1', '3C1', 'X1']);
  });
  it('finds a declaration, one card left over', async () => {
    const cards = hand('5H1 6H1 7H1 8H1 9S1 TS1 QD1 4C1 4D1 X1 2D1 2S1 2H1 KC1');
    const groups = await arrangeGroups(wild('QS1'), cards);
    expect(cards.filter((c) => !groups.flat().includes(c))).toEqual(['KC1']);
    expect(judgeGrouping(wild('QS1'), groups, []).valid).toBe(true);
  });
  it('reads a sequence from low to high, jokers where they stand', async () => {
    expect(await shown(NO_WILD, 'QH1 AH1 X1')).toEqual(['QH1 X1 AH1']);
    expect(await shown(NO_WILD, '3S1 AS1 2S1')).toEqual(['AS1 2S1 3S1']);
    expect(await shown(NO_WILD, 'KS1 AS1 QS1')).toEqual(['QS1 KS1 AS1']);
    expect(await shown(NO_WILD, 'KS1 AS1 X1')).toEqual(['X1 KS1 AS1']);
  });
  it('leaves cards ungrouped that form no group', async () => {
    expect(await arrangeGroups(NO_WILD, hand('2C1 5D1 9H1 KS1'))).toEqual([]);
  });
  it('never uses a card twice, with as many jokers as there can be', async () => {
    const cards = hand('X1 X2 X3 QH1 QS1 QD2 QC1 5H1 6H1 9S1 TS1 2D1 3D1 KC1');
    const used = (await arrangeGroups(wild('QS2'), cards)).flat();
    expect(new Set(used).size).toBe(used.length);
    expect(used.length).toBeGreaterThanOrEqual(12);
  });
});
