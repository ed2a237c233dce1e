/* The meld games in three turns: draw, discard, open with 64, swap a joker, lay off, and go out. */
import type { Script } from '$lib/guide/script';

export interface Differs {
  /** Points needed to open; 0: none. */
  min: number;
  /** Taking the discard obliges the player to open in the same turn. */
  must: boolean;
  /** A joker taken from the table may be kept. */
  kept: boolean;
}

export const melds = (variant: string, { min, must, kept }: Differs): Script => ({
  variant,
  texts: 'melds',
  values: {
    min,
    opening: min > 0 ? 'some' : 'none',
    must: must ? 'yes' : 'no',
    kept: kept ? 'yes' : 'no',
  },
  record: `[Rummyd "1"]
[Variant "${variant}"]
[Players "2"]
[Setup "yes"]
[Starter "0"]
[Cards0 "7S1 8S1 9S1 KD1 KC1 KH1 6H1 7H1 QS1 QC1 2C1 4C1 5D1 9D1"]
[Cards1 "TS1 AD1 9H2 JH2 3S2"]
[Turns "1 1"]
[ToMove "0"]
[Phase "draw"]
[Opened "1"]
[Meld "1 4H1 5H1 X1"]
[Discard "8C2"]
[Stock "3C1 6D2 8D1 JD1"]

`,
  steps: [
    { say: 'draw', at: 'stock', want: { t: 'draw', d: { from: 'stock' } } },
    { say: 'throw', at: 'discard', cards: ['5D1'], want: { t: 'discard', d: { cards: ['5D1'] } } },
    { say: 'take', at: 'discard', want: { t: 'draw', d: { from: 'discard' } } },
    {
      say: 'run',
      at: 'buttons',
      cards: ['7S1', '8S1', '9S1', 'TS1'],
      want: { t: 'meld', d: { cards: ['7S1', '8S1', '9S1', 'TS1'] } },
    },
    {
      say: 'kings',
      at: 'buttons',
      cards: ['KD1', 'KC1', 'KH1'],
      want: { t: 'meld', d: { cards: ['KD1', 'KC1', 'KH1'] } },
    },
    {
      say: 'throw_again',
      at: 'discard',
      cards: ['9D1'],
      want: { t: 'discard', d: { cards: ['9D1'] } },
      praise: true,
    },
    { say: 'draw_again', at: 'stock', want: { t: 'draw', d: { from: 'stock' } } },
    { say: 'swap', at: 'meld', cards: ['6H1'], want: { t: 'swap', d: { card: '6H1', meld: 0 } } },
    {
      say: 'queens',
      at: 'buttons',
      cards: ['QS1', 'QC1', 'X1'],
      want: { t: 'meld', d: { cards: ['QS1', 'QC1', 'X1'] } },
    },
    {
      say: 'clubs',
      at: 'buttons',
      cards: ['2C1', '3C1', '4C1'],
      want: { t: 'meld', d: { cards: ['2C1', '3C1', '4C1'] } },
    },
    { say: 'lay_off', at: 'meld', cards: ['7H1'], want: { t: 'lay_off', d: { card: '7H1', meld: 0 } } },
    { say: 'out', at: 'discard', cards: ['JD1'], want: { t: 'discard', d: { cards: ['JD1'] } } },
  ],
  bot: [
    { t: 'draw', d: { from: 'stock' } },
    { t: 'discard', d: { cards: ['TS1'] } },
    { t: 'draw', d: { from: 'stock' } },
    { t: 'discard', d: { cards: ['8D1'] } },
  ],
});
