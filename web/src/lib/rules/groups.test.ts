/* The worked examples of the rules; vectors.test.ts reads the shared vectors. */
import { describe, expect, it } from 'vitest';
import { isWild, judgeGroup, judgeGrouping, NO_WILD, type Wild } from './groups';

const anyQueen: Wild = { card: 'QD1', exact: false, naturalPure: true };
const queenOfHearts: Wild = { card: 'QH1', exact: true, naturalPure: true };

/** "TS TS TD | 5H …" with copy numbers added, because the same card may occur twice. */
function groups(text: string): string[][] {
  const seen = new Map<string, number>();
  const named = (name: string) => {
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return name + String(n);
  };
  return text.split('|').map((g) => g.trim().split(/\s+/).filter(Boolean).map(named));
}
const kind = (text: string, wild = NO_WILD) => judgeGroup(wild, groups(text)[0] ?? []);
const judge = (text: string, wild = NO_WILD, rest = '') =>
  judgeGrouping(wild, groups(text), groups(rest)[0] ?? []);

describe('wild cards', () => {
  it('are the printed jokers and the rank, or the one card', () => {
    expect(['X1', 'QD2', 'QH1', 'KH1'].map((c) => isWild(anyQueen, c))).toEqual([true, true, true, false]);
    expect(['QH2', 'QD1'].map((c) => isWild(queenOfHearts, c))).toEqual([true, false]);
  });
  it('are the aces when a printed joker was turned up', () => {
    const joker: Wild = { ...anyQueen, card: 'X1' };
    expect(['AS1', 'AH2', '2S1'].map((c) => isWild(joker, c))).toEqual([true, true, false]);
  });
});

describe('a group', () => {
  it('is a pure sequence without a joker at work', () => {
    expect(kind('5H 6H 7H')).toBe('pure');
    expect(kind('AH 2H 3H')).toBe('pure');
    expect(kind('QH KH AH')).toBe('pure');
    expect(kind('KH AH 2H')).toBe('none');
    expect(kind('5H 6H 6H 7H')).toBe('none');
    expect(kind('AH 2H 3H 4H 5H 6H 7H 8H 9H TH JH QH KH')).toBe('pure');
  });
  it('stays pure with a wild card in its own place, unless that is not played', () => {
    const six: Wild = { card: '6S1', exact: false, naturalPure: true };
    expect(kind('5H 6H 7H', six)).toBe('pure');
    expect(kind('5H 6H 7H', { ...six, naturalPure: false })).toBe('sequence');
    expect(kind('5H 6S 7H', six)).toBe('sequence');
  });
  it('is a sequence with jokers anywhere', () => {
    expect(kind('5C X 7C')).toBe('sequence');
    expect(kind('5H X X 8H')).toBe('sequence');
    expect(kind('QH KH X')).toBe('sequence');
    expect(kind('5H X 9H')).toBe('none');
    expect(kind('5H X 7S')).toBe('none');
  });
  it('is a set of one rank without a suit twice, and any number of jokers', () => {
    expect(kind('TS TD TC QH', queenOfHearts)).toBe('set');
    expect(kind('TS TS TD TC QH', queenOfHearts)).toBe('none');
    expect(kind('KH KH KD')).toBe('none');
    expect(kind('TS TH TD TC X')).toBe('set');
    expect(kind('QS QH QD', anyQueen)).toBe('set');
  });
  it('is a set when it is jokers alone, and nothing with two cards', () => {
    expect(kind('X X QD', anyQueen)).toBe('set');
    expect(kind('5H 6H')).toBe('none');
  });
});

describe('a declaration', () => {
  it('holds with two sequences, one of them pure', () => {
    const good = judge('2H 3H 4H 5H | 5C 6C 7C 8C | 5D 5C X QH QS', anyQueen);
    expect(good).toMatchObject({ valid: true, points: 0, kinds: ['pure', 'pure', 'set'] });
    const table = judge('2H 3H 4H | 5C 6C 7C QD | 5D 5C 5H | 2D 2C 2H', anyQueen);
    expect(table).toMatchObject({ valid: true, points: 0 });
  });
  it('fails with a reason for each wrong group', () => {
    expect(judge('TS TH TD TC | 5S 5H 5D | 6S 6H 6C | 9H 9D X').reason).toBe('You need a pure sequence');
    expect(judge('KH KS KD | 6H 7H X | 9S TS JS X | 5S 5H 5D').reason).toBe('You need a pure sequence');
    expect(judge('QH QS QD | 6H 7H 8H 9H | 5S 5H 5D | TS TH TD').reason).toBe('You need a second sequence');
    expect(judge('5H 6H 7H | 8S 9S', NO_WILD).reason).toBe('Every group needs at least three cards');
    expect(judge('5H 6H 7H | 8S 9S 2D').reason).toBe('One group is neither a sequence nor a set');
    expect(judge('5H 6H 7H', NO_WILD, 'KS').reason).toBe('1 card is in no group');
  });
});

describe('the points of a hand', () => {
  const exact: Wild = { ...anyQueen, exact: true };
  it('are those of the source’s table, row by row', () => {
    const first = '2H 3H 4H | 5C 6C QD | 8D 8S 5C | 2D 2C | KS QS';
    expect(judge(first, exact).points).toBe(45);
    expect(judge(first, anyQueen).points).toBe(35);
    expect(judge('4S 4H 4C | 4D 5D QD | 3S 7S 8S | QD KD | TC 9C', anyQueen).points).toBe(68);
    expect(judge('3H 4H 5H | 5C 6C 7C QD | 8D 5C | 2D 2C 2H | KS', anyQueen).points).toBe(23);
  });
  it('are eighty at most, and all cards count without the two sequences', () => {
    expect(judge('KH QH JH', NO_WILD, 'KS QS JS TS 9S KD QD JD TD 9D').points).toBe(80);
    expect(judge('5H 6H 7H', NO_WILD, '2S 3D').points).toBe(23);
  });
});
