import { describe, expect, it } from 'vitest';
import type { EventType, TableEvent } from '@rummyd/client';
import { dealtOut, readOut, standing } from './commentary';
import { applyEvent } from './apply';
import { fromSnapshot, type TableState } from './state';
import { describe as inWords } from './text';

const table = {
  id: '9',
  variant: 'rummy51',
  room: '',
  hand_no: 1,
  commit: '',
  stake: 0,
  reward: 0,
  multiplier: '1.0',
};
const seat = (n: number, nick: string, opened: boolean) => ({
  ...{
    seat: n,
    player_id: null,
    nick,
    avatar: '',
    bot: true,
    on: true,
    away: false,
    left: false,
    round: 1,
    points: 0,
  },
  opened,
  cards_n: 5,
});
const STATE: TableState = fromSnapshot(5, {
  table,
  me: 0,
  phase: 'draw',
  to_move: 1,
  starter: 1,
  hand: ['AS1', '2S1'],
  discard: ['4C1'],
  seats: [seat(0, 'Mia', true), seat(1, 'Karim', true), seat(2, 'Noor', false)],
});

function heard(t: EventType, by: number | null, d: object, before = STATE): string {
  const event = { v: 6, t, seat: by, d } as TableEvent;
  const state = applyEvent(before, event);
  return readOut(event, state, inWords(event, state));
}

describe('what is read out', () => {
  it('leaves out that others draw from the stock', () => {
    expect(heard('drew', 1, { from: 'stock' })).toBe('');
    expect(heard('drew', 1, { from: 'discard', card: '4C1' })).toBe(
      'Karim drew the 4 of clubs from the discard pile.',
    );
    expect(heard('drew', 0, { from: 'stock', card: '9D1' })).toBe(
      'You drew the 9 of diamonds from the stock.',
    );
  });
  it('counts the cards of others once they have opened', () => {
    expect(heard('discarded', 1, { cards: ['9D1'] })).toBe(
      'Karim discarded the 9 of diamonds. 4 cards left.',
    );
    expect(heard('discarded', 2, { cards: ['9D1'] })).toBe('Noor discarded the 9 of diamonds.');
    expect(heard('discarded', 0, { cards: ['AS1'] })).toBe('You discarded the ace of spades.');
  });
  it('begins with the deal, the pile, and whose turn it is', () => {
    expect(dealtOut(STATE)).toBe(
      'You were dealt 2 cards. The 4 of clubs is on the discard pile. Karim goes first.',
    );
    expect(heard('turn', 1, { phase: 'draw', round: 1 })).toBe('Karim goes first.');
    expect(heard('turn', 1, { phase: 'draw', round: 2 })).toBe('');
    expect(heard('turn', 2, { phase: 'draw', round: 1 })).toBe('');
  });
  it('describes the state of the game to a returning player', () => {
    const later = { ...STATE, seats: STATE.seats.map((s) => ({ ...s, round: 3 })) };
    expect(standing(later)).toBe('The 4 of clubs is on the discard pile. Karim is playing');
    expect(standing({ ...later, toMove: 0 })).toBe(
      'The 4 of clubs is on the discard pile. Your turn: draw a card.',
    );
  });
  it('gives the scores of all in one line, the winner first', () => {
    const score = { total: 0, place: 1, won: false, cards_left: 0, cards: [] };
    let state = STATE;
    const lines = [63, -40, 100].map((points, by) => {
      const d = { ...score, points, place: [2, 1, 3][by] ?? 0 };
      const event = { v: 7, t: 'scored', seat: by, d } as unknown as TableEvent;
      state = applyEvent(state, event);
      return readOut(event, state, '');
    });
    expect(lines).toEqual(['', '', 'Scores: Karim −40, you 63, Noor 100.']);
  });
});
