import { describe, expect, it } from 'vitest';
import {
  discardKind,
  discardOrder,
  layOffEnds,
  meldWorth,
  proposeMelds,
  standsFor,
  swappable,
  type Laid,
} from './melds';
import { rulesOf } from './rules';

const R51 = rulesOf('rummy51');
const TREFF = rulesOf('treff');
const R40 = rulesOf('rummy40');
const orders = (cards: string, opening = false, rules = R51) =>
  proposeMelds(rules, cards.split(' '), opening).map((p) => p.cards.join(' '));
const best = (cards: string, opening = false, rules = R51) =>
  proposeMelds(rules, cards.split(' '), opening)[0]?.worth ?? 0;

function meld(kind: 'run' | 'set', low: number, suit: Laid['suit'], cards: string): Laid {
  return { kind, low, suit, cards: cards.split(' ') };
}

describe('melds that are proposed', () => {
  it('puts a run in order however it was chosen', () => {
    expect(orders('8S1 6S2 7S1')).toEqual(['6S2 7S1 8S1']);
  });
  it('knows the ace at both ends, and not in the middle', () => {
    expect(best('AC1 2C1 3C1')).toBe(15);
    expect(best('KC1 AC1 QC1')).toBe(30);
    expect(orders('KC1 AC1 2C1')).toEqual([]);
  });
  it('offers every place of a joker, the most valuable first', () => {
    expect(orders('5H1 6H1 X1')).toEqual(['5H1 6H1 X1', 'X1 5H1 6H1']);
    expect(orders('5H1 X1 8H1 X2')).toEqual(['5H1 X1 X2 8H1']);
  });
  it('allows one joker a group while opening', () => {
    expect(orders('X1 X2 KH1', true)).toEqual([]);
    expect(orders('KH1 KS1 X1', true)).toEqual(['KH1 KS1 X1']);
    expect(best('TH1 TC1 TD1 X1', true)).toBe(40);
  });
  it('knows sets: no suit twice, four at most, one joker', () => {
    expect(best('9D1 9H1 9S1 9C1')).toBe(36);
    expect(orders('9D1 9D2 9S1')).toEqual([]);
    expect(orders('9D1 X1 X2')).not.toContain('9D1 X1 X2 9D1');
    expect(orders('9D1 9H1 X1 X2')).toEqual([]);
  });
  it('takes a run from ace to ace', () => {
    const cards = 'AS1 2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1 AS2';
    expect(proposeMelds(R51, cards.split(' '), false)).toHaveLength(1);
  });
  it('has nothing for two cards or for jokers alone', () => {
    expect(orders('5H1 6H1')).toEqual([]);
    expect(orders('X1 X2 X3')).toEqual([]);
  });
});

describe('melds of the other games', () => {
  it('keeps the ace of straight rummy at its one end', () => {
    const [low, high] = [rulesOf('straight'), rulesOf('straight', { ace_low: 0, ace_high: 1 })];
    expect(best('AC1 2C1 3C1', false, low)).toBe(6);
    expect(orders('QC1 KC1 AC1', false, low)).toEqual([]);
    expect(best('QC1 KC1 AC1', false, high)).toBe(35);
    expect(orders('AC1 2C1 3C1', false, high)).toEqual([]);
  });
  it('takes as many jokers as naturals in treff, side by side or not', () => {
    expect(orders('7H1 X1 X2', false, TREFF)).toEqual([]);
    expect(orders('7H1 8H1 X1 X2', false, TREFF)).toContain('7H1 8H1 X1 X2');
    expect(orders('7H1 9H1 X1 X2', false, TREFF)).toContain('7H1 X1 9H1 X2');
    expect([best('QH1 KH1 AH1', false, TREFF), best('AH1 2H1 3H1', false, TREFF)]).toEqual([31, 6]);
  });
  it('takes fewer jokers than naturals in rummy40, never side by side', () => {
    expect(orders('5H1 8H1 X1 X2', false, R40)).toEqual([]);
    expect(orders('5H1 7H1 9H1 X1 X2', false, R40)).toContain('5H1 X1 7H1 X2 9H1');
    expect(orders('7H1 7S1 X1', false, R40)).toEqual(['7H1 7S1 X1']);
    expect(orders('7H1 7S1 X1 X2', false, R40)).toEqual([]);
    expect(best('QS1 KS1 AS1', true, R40) + best('3S1 3D1 3C1', true, R40)).toBe(40);
    expect(best('TH1 JH1 QH1', true, R40) + best('3S1 3D1 3C1', true, R40)).toBe(39);
  });
});

describe('laying off', () => {
  const run = meld('run', 4, 'H', '5H1 6H1 7H1');
  it('names the end', () => {
    expect(layOffEnds(R51, '4H2', run)).toEqual(['low']);
    expect(layOffEnds(R51, '8H1', run)).toEqual(['high']);
    expect(layOffEnds(R51, 'X1', run)).toEqual(['low', 'high']);
    expect(layOffEnds(R51, '8S1', run)).toEqual([]);
  });
  it('stops at the aces', () => {
    expect(layOffEnds(R51, 'X1', meld('run', 0, 'H', 'AH1 2H1 3H1'))).toEqual(['high']);
    expect(layOffEnds(R51, 'X1', meld('run', 11, 'H', 'QH1 KH1 AH1'))).toEqual(['low']);
    expect(layOffEnds(rulesOf('straight'), 'AH1', meld('run', 10, 'H', 'JH1 QH1 KH1'))).toEqual([]);
  });
  it('completes a set, with a joker only where that may be', () => {
    const set = meld('set', 4, null, '5H1 5S1 5D1');
    expect(layOffEnds(R51, '5C2', set)).toEqual([null]);
    expect(layOffEnds(R51, '5S2', set)).toEqual([]);
    expect(layOffEnds(R51, 'X1', set)).toEqual([]);
    expect(layOffEnds(R40, 'X1', set)).toEqual([null]);
    expect(layOffEnds(R40, 'X2', meld('set', 4, null, '5H1 5S1 X1'))).toEqual([]);
  });
  it('keeps jokers apart where they must be', () => {
    expect(layOffEnds(R40, 'X2', meld('run', 4, 'H', '5H1 6H1 7H1 X1'))).toEqual(['low']);
  });
});

describe('swapping', () => {
  it('wants the exact card of a run', () => {
    const run = meld('run', 4, 'H', '5H1 X1 7H1');
    expect(swappable(R51, '6H2', run)).toEqual(['X1']);
    expect(swappable(R51, '6S1', run)).toEqual([]);
    expect(standsFor(run, 1)).toBe('6H');
  });
  it('takes either missing suit of a set, or wants it full first', () => {
    const set = meld('set', 4, null, '5H1 5S1 X3');
    expect(swappable(R51, '5C1', set)).toEqual(['X3']);
    expect(swappable(R51, '5H2', set)).toEqual([]);
    expect(swappable(R40, '5C1', set)).toEqual([]);
    expect(swappable(R40, '5C1', meld('set', 4, null, '5H1 5S1 X3 5D1'))).toEqual(['X3']);
  });
});

describe('worth of a meld', () => {
  it('counts a joker as the card it stands for and an ace where it stands', () => {
    expect(meldWorth(R51, meld('run', 0, 'C', 'AC1 2C1 3C1'))).toBe(15);
    expect(meldWorth(R51, meld('run', 11, 'C', 'QC1 X1 AC1'))).toBe(30);
    expect(meldWorth(R40, meld('run', 11, 'C', 'QC1 X1 AC1'))).toBe(31);
    expect(meldWorth(R51, meld('set', 8, null, '9D1 9H1 9S1 X1'))).toBe(36);
  });
});

describe('throwing', () => {
  it('tells one card, a burial and the last jokers apart', () => {
    expect(discardKind(R51, ['9H1'], 5)).toBe('single');
    expect(discardKind(R51, ['X1', '9H1'], 5)).toBe('bury');
    expect(discardKind(R51, ['X1', 'X2'], 2)).toBe('jokers');
    expect(discardKind(R51, ['X1'], 5)).toBe(null);
    expect(discardKind(R51, ['X1', 'X2', '4C1'], 3)).toBe(null);
  });
  it('buries nothing where a joker may be the last card only', () => {
    expect(discardKind(R40, ['X1', '9H1'], 5)).toBe(null);
    expect(discardKind(R40, ['X1'], 1)).toBe('jokers');
    expect(discardKind(R40, ['X1', 'X2'], 2)).toBe(null);
  });
  it('lets a joker be thrown in the Indian games', () => {
    expect(discardKind(rulesOf('points'), ['X1'], 14)).toBe('single');
  });
  it('puts the natural card on top', () => {
    expect(discardOrder(['9H1', 'X1'])).toEqual(['X1', '9H1']);
  });
});
