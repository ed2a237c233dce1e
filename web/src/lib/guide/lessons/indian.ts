/* The lessons of the Indian games: requirements of a declaration, when to drop, and how to lose little if
 * dropping is not allowed. */
import type { Script } from '$lib/guide/script';
import { rulesOf } from '$lib/rules/rules';

const draw = (say: string, from: 'stock' | 'discard' = 'stock') =>
  ({ say, at: from, want: { t: 'draw', d: { from } } }) as const;
const discard = (say: string, ...cards: string[]) =>
  ({ say, at: 'discard', cards, want: { t: 'discard', d: { cards } } }) as const;
const botDiscards = (from: 'stock' | 'discard', ...cards: string[]) =>
  [
    { t: 'draw', d: { from } },
    { t: 'discard', d: { cards } },
  ] as const;

/* The nines are wild. */
const position = (variant: string, lines: string) => `[Rummyd "1"]
[Variant "${variant}"]
[Players "2"]
[Setup "yes"]
[Starter "0"]
[Wild "9C1"]
[ToMove "0"]
[Phase "draw"]
${lines}

`;

/** Two sequences with jokers are not enough; a wild card in its natural place makes one of them pure. */
export function pure(variant: string): Script {
  return {
    variant,
    texts: 'pure',
    values: { wrong: rulesOf(variant).wrong_points },
    record: position(
      variant,
      `[Turns "1 1"]
[Cards0 "4S1 5S1 X1 8D1 9H1 TD1 7H1 7C1 7S1 QH1 QC1 KS1 2C1"]
[Cards1 "6S1 AS2 3S2 8D2 TC2 KS2 2D2 6D2 JD2 AH2 4H2 6C2 QD2"]
[Discard "JH1"]
[Stock "9D1 5D2"]`,
    ),
    steps: [
      draw('draw'),
      discard('own_place', '2C1'),
      draw('second', 'discard'),
      {
        say: 'declare',
        at: 'buttons',
        cards: ['KS1'],
        want: {
          t: 'declare',
          d: {
            groups: [
              ['8D1', '9D1', 'TD1'],
              ['4S1', '5S1', '6S1'],
              ['7H1', '7C1', '7S1'],
              ['QH1', 'QC1', '9H1', 'X1'],
            ],
            finish: 'KS1',
          },
        },
      },
    ],
    bot: botDiscards('stock', '6S1'),
  };
}

/** A hand that should have been dropped at once is dropped a round later, at a higher price. */
export function drop(variant: string): Script {
  const { drop_first, drop_middle, points_cap } = rulesOf(variant);
  return {
    variant,
    texts: 'drop',
    values: { first: drop_first, middle: drop_middle, cap: points_cap },
    record: position(
      variant,
      `[Turns "0 0"]
[Cards0 "KD1 KH1 QS1 JC1 TH1 AS1 8C1 7D1 5S1 4C1 2H1 6D1 3S1"]
[Cards1 "KS1 KC1 4H1 5H1 6H1 8S2 9S2 TS2 JD2 QD2 2C2 2D2 AC1"]
[Discard "JH1"]
[Stock "QC2 5D2"]`,
    ),
    steps: [draw('draw'), discard('throw', 'KD1'), { say: 'drop', at: 'drop', want: { t: 'drop', d: {} } }],
    bot: botDiscards('discard', 'AC1'),
  };
}

/** Without dropping: form a pure sequence, discard the most expensive cards, and group at the end. */
export function cheap(variant: string): Script {
  return {
    variant,
    texts: 'cheap',
    values: { cap: rulesOf(variant).points_cap },
    record: position(
      variant,
      `[Turns "1 1"]
[Cards0 "5H1 6H1 2S1 3S1 X1 8C1 8D1 8S1 KD1 KS1 QC1 JD1 3C1"]
[Cards1 "AC1 2C1 3C2 4C2 TD2 JD2 QD2 7S2 7C2 7D2 5S2 5C2 6C2"]
[Discard "JH1"]
[Stock "7H1 QS2 2D1 5D2"]`,
    ),
    steps: [
      draw('draw'),
      discard('dear', 'KD1'),
      draw('again'),
      discard('dear_again', 'KS1'),
      {
        say: 'group',
        at: 'buttons',
        want: {
          t: 'group',
          d: {
            groups: [
              ['5H1', '6H1', '7H1'],
              ['2S1', '3S1', 'X1'],
              ['8C1', '8D1', '8S1'],
            ],
            done: true,
          },
        },
      },
    ],
    bot: [
      ...botDiscards('stock', '6C2'),
      { t: 'draw', d: { from: 'stock' } },
      {
        t: 'declare',
        d: {
          groups: [
            ['AC1', '2C1', '3C2', '4C2'],
            ['TD2', 'JD2', 'QD2'],
            ['7S2', '7C2', '7D2'],
            ['5S2', '5C2', '5D2'],
          ],
          finish: 'QS2',
        },
      },
    ],
  };
}
