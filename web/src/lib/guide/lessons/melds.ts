/* The lessons of the meld games: jokers, laying off, when to open, and going out in one turn. */
import type { Script } from '$lib/guide/script';
import { rulesOf } from '$lib/rules/rules';

/** Messages use these values to select their text. */
const yes = (whether: boolean) => (whether ? 'yes' : 'no');

const DRAW = { say: 'draw', at: 'stock', want: { t: 'draw', d: { from: 'stock' } } } as const;

const lay = (say: string, ...cards: string[]) =>
  ({ say, at: 'buttons', cards, want: { t: 'meld', d: { cards } } }) as const;
const add = (say: string, card: string, meld: number) =>
  ({ say, at: 'meld', cards: [card], want: { t: 'lay_off', d: { card, meld } } }) as const;
const out = (...cards: string[]) =>
  ({ say: 'out', at: 'discard', cards, want: { t: 'discard', d: { cards } } }) as const;

const position = (variant: string, lines: string) => `[Rummyd "1"]
[Variant "${variant}"]
[Players "2"]
[Setup "yes"]
[Starter "0"]
[Turns "2 2"]
[ToMove "0"]
[Phase "draw"]
${lines}

`;

/** A joker in a gap, one swapped out of a meld, and the set that it joins. */
export function jokers(variant: string): Script {
  const { joker_points, swapped_joker_kept } = rulesOf(variant);
  return {
    variant,
    texts: 'jokers',
    values: { points: joker_points, kept: yes(swapped_joker_kept > 0) },
    record: position(
      variant,
      `[Cards0 "9S1 JS1 X1 QC1 QH1 6H1 2C1 KD1 8D1"]
[Cards1 "AD1 9H2 JH2 3S2"]
[Opened "0 1"]
[Meld "1 4H1 5H1 X2"]
[Meld "0 5C1 5D1 5S1"]
[Discard "8C2"]
[Stock "3D1 6D2"]`,
    ),
    steps: [
      DRAW,
      lay('gap', '9S1', 'X1', 'JS1'),
      { say: 'swap', at: 'meld', cards: ['6H1'], want: { t: 'swap', d: { card: '6H1', meld: 0 } } },
      lay('queens', 'QC1', 'QH1', 'X2'),
    ],
    bot: [],
  };
}

/** Laying off at both ends of another player's run, on the player's own set, and going out. */
export function layOff(variant: string): Script {
  const { lay_off_unopened, opening_min } = rulesOf(variant);
  return {
    variant,
    texts: 'lay_off',
    values: { unopened: yes(lay_off_unopened > 0), opens: yes(opening_min > 0) },
    record: position(
      variant,
      `[Cards0 "7H1 KS1 9C1"]
[Cards1 "AD1 9H1 JH1 3S1 5C1"]
[Opened "0 1"]
[Meld "1 4H1 5H1 6H1"]
[Meld "0 KD1 KC1 KH1"]
[Discard "8C1"]
[Stock "3H1 6D1"]`,
    ),
    steps: [DRAW, add('high', '7H1', 0), add('low', '3H1', 0), add('own', 'KS1', 1), out('9C1')],
    bot: [],
  };
}

/** 24 points are too few; with 30 more they open, and the rest may be laid off. */
export function opening(variant: string): Script {
  const { opening_min, never_opened_points, rummy_losers_factor } = rulesOf(variant);
  return {
    variant,
    texts: 'opening',
    values: {
      min: opening_min,
      never: never_opened_points,
      late: yes(never_opened_points > 0),
      double: yes(rummy_losers_factor > 1),
    },
    record: position(
      variant,
      `[Cards0 "7S1 8S1 9S1 QD1 QC1 7D1 2C1 4H1 5H1 9C2 JD1 AS1 3C1"]
[Cards1 "AD1 9H2 JH2 3S2 TC1"]
[Opened "1"]
[Meld "1 4D1 5D1 6D1"]
[Discard "8C2"]
[Stock "QH1 6D2"]`,
    ),
    steps: [DRAW, lay('run', '7S1', '8S1', '9S1'), lay('queens', 'QD1', 'QC1', 'QH1'), add('more', '7D1', 0)],
    bot: [],
  };
}

/** Nothing is melded until the player can go out in one turn. long: more cards are dealt. */
export function atOnce(variant: string, long: boolean): Script {
  const { hand_win_points } = rulesOf(variant);
  const spades = [...(long ? ['5S1'] : []), '6S1', '7S1', '8S1', '9S1'];
  const kings = ['KD1', 'KC1', 'KH1', ...(long ? ['KS1'] : [])];
  const hearts = [...(long ? ['3H1'] : []), '4H1', '5H1', '6H1'];
  return {
    variant,
    texts: 'at_once',
    values: { bonus: hand_win_points, extra: yes(hand_win_points > 0) },
    record: position(
      variant,
      `[Cards0 "${[...spades, ...kings, ...hearts.slice(0, -1), '2D1'].join(' ')}"]
[Cards1 "AD1 9H1 JH1 3S1 TC1 8D1"]
[Opened "1"]
[Meld "1 JC1 JD1 JS1"]
[Discard "8C1"]
[Stock "6H1 6D1"]`,
    ),
    steps: [DRAW, lay('spades', ...spades), lay('kings', ...kings), lay('hearts', ...hearts), out('2D1')],
    bot: [],
  };
}
