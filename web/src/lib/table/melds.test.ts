import { describe, expect, it } from 'vitest';
import { discardKind, discardOrder, layOffEnds, proposeMelds, standsFor, swappable } from './melds';
import type { Meld } from './state';

const orders = (cards: string, opening = false) =>
  proposeMelds(cards.split(' '), opening).map((p) => p.cards.join(' '));
const best = (cards: string, opening = false) => proposeMelds(cards.split(' '), opening)[0]?.worth ?? 0;

function meld(kind: 'run' | 'set', low: number, suit: Meld['suit'], cards: string): Meld {
  return { id: 1, kind, owner: 0, low, suit, staged: false, cards: cards.split(' ') };
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
    expect(proposeMelds(['9D1', '9H1', 'X1', 'X2'], false)).toEqual([]);
  });
  it('takes a run from ace to ace', () => {
    const cards = 'AS1 2S1 3S1 4S1 5S1 6S1 7S1 8S1 9S1 TS1 JS1 QS1 KS1 AS2';
    expect(proposeMelds(cards.split(' '), false)).toHaveLength(1);
  });
  it('has nothing for two cards or for jokers alone', () => {
    expect(orders('5H1 6H1')).toEqual([]);
    expect(orders('X1 X2 X3')).toEqual([]);
  });
});

describe('laying off', () => {
  const run = meld('run', 4, 'H', '5H1 6H1 7H1');
  it('names the end', () => {
    expect(layOffEnds('4H2', run)).toEqual(['low']);
    expect(layOffEnds('8H1', run)).toEqual(['high']);
    expect(layOffEnds('X1', run)).toEqual(['low', 'high']);
    expect(layOffEnds('8S1', run)).toEqual([]);
  });
  it('stops at the aces', () => {
    expect(layOffEnds('X1', meld('run', 0, 'H', 'AH1 2H1 3H1'))).toEqual(['high']);
    expect(layOffEnds('X1', meld('run', 11, 'H', 'QH1 KH1 AH1'))).toEqual(['low']);
  });
  it('completes a set, never with a joker', () => {
    const set = meld('set', 4, null, '5H1 5S1 5D1');
    expect(layOffEnds('5C2', set)).toEqual([null]);
    expect(layOffEnds('5S2', set)).toEqual([]);
    expect(layOffEnds('X1', set)).toEqual([]);
  });
});

describe('swapping', () => {
  it('wants the exact card of a run', () => {
    const run = meld('run', 4, 'H', '5H1 X1 7H1');
    expect(swappable('6H2', run)).toEqual(['X1']);
    expect(swappable('6S1', run)).toEqual([]);
    expect(standsFor(run, 1)).toBe('6H');
  });
  it('takes either missing suit of a set', () => {
    const set = meld('set', 4, null, '5H1 5S1 X3');
    expect(swappable('5C1', set)).toEqual(['X3']);
    expect(swappable('5H2', set)).toEqual([]);
  });
});

describe('throwing', () => {
  it('tells one card, a burial and the last jokers apart', () => {
    expect(discardKind(['9H1'], 5)).toBe('single');
    expect(discardKind(['X1', '9H1'], 5)).toBe('bury');
    expect(discardKind(['X1', 'X2'], 2)).toBe('jokers');
    expect(discardKind(['X1'], 5)).toBe(null);
    expect(discardKind(['X1', 'X2', '4C1'], 3)).toBe(null);
  });
  it('puts the natural card on top', () => {
    expect(discardOrder(['9H1', 'X1'])).toEqual(['X1', '9H1']);
  });
});
