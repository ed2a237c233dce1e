/* One pack, no jokers, no minimum: meld what you have, lay off, go out. */
import type { Script } from '$lib/guide/script';

export const straight: Script = {
  variant: 'straight',
  texts: 'straight',
  values: {},
  record: `[Rummyd "1"]
[Variant "straight"]
[Players "2"]
[Setup "yes"]
[Starter "0"]
[Cards0 "7S1 8S1 9S1 KD1 KC1 KH1 6H1 5D1"]
[Cards1 "AD1 9H1 JH1 3S1"]
[Turns "1 1"]
[ToMove "0"]
[Phase "draw"]
[Opened "1"]
[Meld "1 3H1 4H1 5H1"]
[Discard "8C1"]
[Stock "2C1 6D1 TS1"]

`,
  steps: [
    { say: 'draw', at: 'stock', want: { t: 'draw', d: { from: 'stock' } } },
    {
      say: 'run',
      at: 'buttons',
      cards: ['7S1', '8S1', '9S1'],
      want: { t: 'meld', d: { cards: ['7S1', '8S1', '9S1'] } },
    },
    {
      say: 'kings',
      at: 'buttons',
      cards: ['KD1', 'KC1', 'KH1'],
      want: { t: 'meld', d: { cards: ['KD1', 'KC1', 'KH1'] } },
    },
    { say: 'lay_off', at: 'meld', cards: ['6H1'], want: { t: 'lay_off', d: { card: '6H1', meld: 0 } } },
    { say: 'throw', at: 'discard', cards: ['5D1'], want: { t: 'discard', d: { cards: ['5D1'] } } },
    { say: 'draw_again', at: 'stock', want: { t: 'draw', d: { from: 'stock' } } },
    { say: 'lay_off_own', at: 'meld', cards: ['TS1'], want: { t: 'lay_off', d: { card: 'TS1', meld: 1 } } },
    { say: 'out', at: 'discard', cards: ['2C1'], want: { t: 'discard', d: { cards: ['2C1'] } } },
  ],
  bot: [
    { t: 'draw', d: { from: 'stock' } },
    { t: 'discard', d: { cards: ['6D1'] } },
  ],
};
