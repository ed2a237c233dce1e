/* The cards shown in the rules. */
import type { Card } from '$lib/cards/cards';
import { proposeMelds } from '$lib/rules/melds';
import type { Rules } from '$lib/rules/rules';

const cards = (text: string): Card[] => text.split(' ');

export const PICTURES = {
  run: cards('5H1 6H1 7H1'),
  longer: cards('5H1 6H1 7H1 8H1'),
  set: cards('8S1 8H1 8D1'),
  aceLow: cards('AS1 2S1 3S1'),
  aceHigh: cards('QD1 KD1 AD1'),
  joker: cards('9C1 X1 JC1'),
  swap: cards('9C1 TC1 JC1'),
  declaration: ['2H1 3H1 4H1', '8C1 9C1 X1 JC1', '5S1 5H1 5D1', 'KS1 KH1 KC1'].map(cards),
};

/** Melds for an opening example; no card occurs twice. */
const OPENINGS = [
  '3S1 3D1 3C1',
  'QS1 KS1 AS1',
  '6S1 7S1 8S1',
  'TC1 TH1 TD1',
  '4H1 5H1 6H1',
  '9H1 9D1 9S1 9C1',
  'JC1 JH1 JD1 JS1',
  'KC1 KH1 KD1',
].map(cards);

export interface OpeningExample {
  melds: Card[][];
  worth: number;
}

/** Melds that just reach the minimum; null if the given ones are not enough. */
export function openingExample(rules: Rules): OpeningExample | null {
  const known = OPENINGS.map((meld) => ({
    meld,
    worth: proposeMelds(rules, meld, true)[0]?.worth ?? 0,
  })).filter(({ worth }) => worth > 0);
  let best: OpeningExample | null = null;
  for (let mask = 1; mask < 1 << known.length; mask++) {
    const some = known.filter((_, i) => (mask >> i) & 1);
    const worth = some.reduce((sum, one) => sum + one.worth, 0);
    const better =
      best === null || worth < best.worth || (worth === best.worth && some.length < best.melds.length);
    if (worth >= rules.opening_min && better) best = { melds: some.map(({ meld }) => meld), worth };
  }
  return best;
}
