import { describe, expect, it } from 'vitest';
import { placesOf, rewritten } from './sentence';

const shout = (text: string) => text.toUpperCase();

describe('a message is rewritten', () => {
  it.each([
    ['It’s {name}, at {place}.', 'IT’S {name}, AT {place}.'],
    ['{n, number} chips', '{n, number} CHIPS'],
    [
      '{n, plural, =0 {no cards} one {# card} other {# cards}} left',
      '{n, plural, =0 {NO CARDS} one {# CARD} other {# CARDS}} LEFT',
    ],
    ['{n, selectordinal, one {#st} other {#th}}', '{n, selectordinal, one {#ST} other {#TH}}'],
    ['{who, select, you {you win} other {{name} wins}}', '{who, select, you {YOU WIN} other {{name} WINS}}'],
    ["a '{'b'}' don't", "A '{'B'}' DON''T"],
  ])('%s', (message, changed) => {
    expect(rewritten(message, shout)).toBe(changed);
    expect(placesOf(changed)).toEqual(placesOf(message));
  });

  it('to one that says the same when nothing changes', () => {
    const message = "{n, plural, offset:1 one {'#' is not # of {name}} other {it''s #}}";
    const same = rewritten(message, (text) => text);
    expect(rewritten(same, (text) => text)).toBe(same);
    expect(placesOf(same)).toEqual(placesOf(message));
  });
});

describe('places of a message', () => {
  it('are found within cases, too', () => {
    expect(placesOf('{n, plural, one {{a}} other {{b, select, x {{c}} other {}}}}')).toEqual([
      { name: 'n', kind: 'plural', cases: ['one', 'other'] },
      { name: 'a', kind: 'value', cases: [] },
      { name: 'b', kind: 'select', cases: ['x', 'other'] },
      { name: 'c', kind: 'value', cases: [] },
    ]);
  });
});
