/* What the page draws and suggests for the parameters of each variant. */
import { describe, expect, it } from 'vitest';
import { sayOr } from '$lib/messages/messages';
import { cardPoints, dealtEach, handPoints, packSize, placePoints, rulesOf } from './rules';
import rows from './variants.json';

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
    expect(rulesOf('gin')).toMatchObject({ family: 'meld', name: 'gin' });
  });
});

describe('the words for a variant', () => {
  it.each(Object.keys(rows))('%s has a name and a line', (id) => {
    expect(rulesOf(id).name).not.toBe(id);
    expect(sayOr(`variant.text.${id}`, '')).toMatch(/\.$/);
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
