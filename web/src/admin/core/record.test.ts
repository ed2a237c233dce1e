import { describe, expect, it } from 'vitest';
import { handsOf, nameAt } from './record';

const HAND = (no: number) => `[Rummyd "1"]
[Hand "${no}"]
[Name0 "Ana \\"the\\" A"]
[Name1 "Mravac"]
; a comment

1. 0 stock X1, throw 6D1
2. - leave 1

result out 0
score 0 place 1 points -40 cards 0 won
score 1 place 2 points 100 cards 14
`;

describe('a record', () => {
  it('is taken apart hand by hand', () => {
    const hands = handsOf(`${HAND(1)}\n${HAND(2)}`);
    expect(hands.map((hand) => hand.headers.find(([name]) => name === 'Hand')?.[1])).toEqual(['1', '2']);
    expect(hands[0]?.turns).toEqual([
      { no: '1', seat: '0', actions: ['stock X1', 'throw 6D1'] },
      { no: '2', seat: '-', actions: ['leave 1'] },
    ]);
    expect(hands[1]?.result).toHaveLength(3);
  });

  it('names who sat where', () => {
    const [hand] = handsOf(HAND(1));
    expect(hand && [nameAt(hand, '0'), nameAt(hand, '1'), nameAt(hand, '-')]).toEqual([
      'Ana "the" A',
      'Mravac',
      '',
    ]);
  });

  it('of nothing has no hands', () => {
    expect(handsOf('; no hand of it has ended\n')).toEqual([]);
    expect(handsOf('')).toEqual([]);
  });
});
