/* The Indian games, in which nothing is melded before the end: draw, discard, take, and declare. */
import type { Script } from '$lib/guide/script';

const GROUPS = [
  ['4S1', '5S1', '6S1'],
  ['2C1', '3C1', '4C1'],
  ['8H1', '9D1', 'TH1', 'JH1'],
  ['7D1', '7C1', '7S1'],
];

export const indian = (variant: string): Script => ({
  variant,
  texts: 'indian',
  values: {},
  record: `[Rummyd "1"]
[Variant "${variant}"]
[Players "2"]
[Setup "yes"]
[Starter "0"]
[Wild "9C1"]
[Cards0 "4S1 5S1 6S1 7D1 7C1 7S1 2C1 3C1 8H1 9D1 TH1 JH1 KD1"]
[Cards1 "4C1 AS2 3S2 8D2 TC2 KS2 2D2 6D2 JD2 AH2 4H2 6C2 QD2"]
[Turns "1 1"]
[ToMove "0"]
[Phase "draw"]
[Discard "QH1"]
[Stock "5D2 QC1"]

`,
  steps: [
    { say: 'draw', at: 'stock', want: { t: 'draw', d: { from: 'stock' } } },
    { say: 'throw', at: 'discard', cards: ['KD1'], want: { t: 'discard', d: { cards: ['KD1'] } } },
    { say: 'take', at: 'discard', want: { t: 'draw', d: { from: 'discard' } } },
    {
      say: 'declare',
      at: 'buttons',
      cards: ['5D2'],
      want: { t: 'declare', d: { groups: GROUPS, finish: '5D2' } },
    },
  ],
  bot: [
    { t: 'draw', d: { from: 'stock' } },
    { t: 'discard', d: { cards: ['4C1'] } },
  ],
});
