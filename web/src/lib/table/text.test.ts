import { describe as group, expect, it } from 'vitest';
import type { EventType, TableEvent } from './protocol';
import { fromSnapshot, type TableState } from './state';
import { describe, prompt } from './text';

const STATE: TableState = fromSnapshot(5, {
  table: {
    id: '9',
    variant: 'rummy51',
    room: 'desert',
    hand_no: 1,
    commit: '',
    stake: 10,
    reward: 10,
    multiplier: '1.0',
  },
  me: 0,
  phase: 'draw',
  to_move: 0,
  seats: ['Mia', 'Karim'].map((nick, seat) => ({
    seat,
    player_id: null,
    nick,
    avatar: null,
    bot: true,
    on: true,
  })),
  melds: [{ id: 1, kind: 'set', owner: 1, low: 6, suit: null, staged: false, cards: ['7C1', '7D1', '7H1'] }],
});
const say = (t: EventType, seat: number | null, d: object) =>
  describe({ v: 6, t, seat, d } as TableEvent, STATE);

group('what happened', () => {
  it('names the player, the card and the pile', () => {
    expect(say('drew', 1, { from: 'stock' })).toBe('Karim drew from the stock.');
    expect(say('drew', 0, { from: 'stock', card: 'TH1' })).toBe('You drew the 10 of hearts from the stock.');
    expect(say('drew', 1, { from: 'discard', card: 'X1' })).toBe(
      'Karim drew the joker from the discard pile.',
    );
    expect(say('laid_off', 0, { meld: 1, card: '7S2', end: null })).toBe(
      'You laid the 7 of spades on Karim’s meld.',
    );
    expect(say('discarded', 1, { cards: ['X1', '4C1'], buried: true })).toBe(
      'Karim buried a joker under the 4 of clubs.',
    );
  });
  it('tells the end', () => {
    const over = { winner: 0, ending: 'out', rummy: true };
    expect(say('hand_ended', null, over)).toBe('Rummy! You are out in one turn.');
    expect(say('hand_ended', null, { winner: null, ending: 'no_cards', rummy: false })).toContain(
      'No cards are left',
    );
  });
});

group('the prompt', () => {
  it('says the next useful thing', () => {
    expect(prompt(STATE)).toBe('Draw a card');
    expect(prompt({ ...STATE, toMove: 1 })).toBe('Karim is playing');
    const turn = { ...STATE.turn, drew: true, stagedSum: 30 };
    expect(prompt({ ...STATE, phase: 'play', turn })).toBe('30 of 51 to open');
    expect(prompt({ ...STATE, phase: 'play' })).toBe('You begin: throw one card');
  });
});
