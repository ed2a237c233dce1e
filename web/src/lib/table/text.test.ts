import { describe as group, expect, it } from 'vitest';
import type { EventType, TableEvent } from '@rummyd/client';
import { rulesOf } from '$lib/rules/rules';
import { fromSnapshot, type TableState } from './state';
import { describe, prompt, refusalSaid } from './text';

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
    avatar: 'fox',
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
      'You added the 7 of spades to Karim’s set.',
    );
    expect(say('discarded', 1, { cards: ['X1', '4C1'], buried: true })).toBe(
      'Karim buried a joker under the 4 of clubs.',
    );
  });
  it('names the card that a joker of a run replaces', () => {
    const run = { id: 2, kind: 'run' as const, owner: 1, low: 4, suit: 'C' as const, staged: false };
    const state = { ...STATE, melds: [...STATE.melds, { ...run, cards: ['5C1', '6C1', 'X1', 'X2'] }] };
    const told = (t: EventType, d: object) => describe({ v: 6, t, seat: 1, d } as TableEvent, state);
    expect(told('melded', { meld: 2, kind: 'run', worth: 18, cards: ['5C1', '6C1', 'X1'] })).toBe(
      'Karim laid a run for 18: 5 of clubs, 6 of clubs, joker for the 7 of clubs.',
    );
    expect(told('laid_off', { meld: 2, card: 'X2', end: 'high' })).toBe(
      'Karim added the joker for the 8 of clubs to their own run.',
    );
  });
  it('tells the end', () => {
    const over = { winner: 0, ending: 'out', rummy: true };
    expect(say('hand_ended', null, over)).toBe('Rummy! You went out in one turn.');
    expect(say('hand_ended', null, { winner: null, ending: 'no_cards', rummy: false })).toContain(
      'No cards are left',
    );
  });
});

group('what happened in the other games', () => {
  const indian = (t: EventType, seat: number | null, d: object, scope = 1) =>
    describe({ v: 6, t, seat, d } as TableEvent, {
      ...STATE,
      rules: rulesOf('points', { wild_scope: scope }),
    });
  it('names the wild cards', () => {
    expect(indian('wild', null, { card: 'QD1', rank: 11 })).toBe('Wild cards: every queen.');
    expect(indian('wild', null, { card: 'QD1', rank: 11 }, 2)).toBe('Wild card: the queen of diamonds.');
    expect(indian('wild', null, { card: 'X1', rank: 0 })).toContain('all aces');
  });
  it('tells drops, declarations and pools', () => {
    expect(indian('dropped', 1, { points: 20 })).toBe('Karim dropped out of this deal: 20 points.');
    expect(indian('declared', 0, { valid: false, groups: [] })).toContain(
      'You made a wrong declaration and are out',
    );
    expect(indian('eliminated', 1, { total: 104 })).toBe('Karim is out of the pool with 104 points.');
    expect(indian('rejoined', 0, { total: 80 })).toBe('You’re back in the pool with 80 points.');
    expect(indian('hand_ended', null, { winner: 1, ending: 'last', rummy: false })).toBe(
      'Karim is the last one in and wins this deal.',
    );
  });
});

group('the prompt', () => {
  it('says the next useful thing', () => {
    expect(prompt(STATE)).toBe('Draw a card');
    expect(prompt({ ...STATE, toMove: 1 })).toBe('Karim is playing');
    const turn = { ...STATE.turn, drew: true, stagedSum: 30 };
    expect(prompt({ ...STATE, phase: 'play', turn })).toBe('30 of 51 to open');
    expect(prompt({ ...STATE, phase: 'play' })).toBe('You go first: discard one card');
    const owed = { ...STATE.turn, drew: true, freed: [{ joker: 'X1', meld: 1 }] };
    const rami = { ...STATE, phase: 'play' as const, rules: rulesOf('rami'), turn: owed };
    expect(prompt(rami)).toBe('Use the joker you freed, or put it back');
  });
  it('offers the flip where the stock is turned over', () => {
    const empty = { ...STATE, rules: rulesOf('straight'), discard: ['4C1', '9D1'] };
    expect(prompt(empty)).toContain('turn the pile over');
    expect(prompt({ ...empty, flips: 1 })).toBe('Draw a card');
  });
  it('says in an Indian game who is out and what may not be taken', () => {
    const points = { ...STATE, rules: rulesOf('points'), wildCard: 'QD1', discard: ['QS1'], mayTake: false };
    expect(prompt(points)).toContain('stays on the pile');
    const seats = STATE.seats.map((s) => ({ ...s, dropped: s.seat === 0 }));
    expect(prompt({ ...points, toMove: 1, seats })).toContain('You dropped out');
    expect(prompt({ ...points, phase: 'group', toGroup: [0] })).toContain('Group your cards');
  });
});

group('the first round', () => {
  const playing = (variant: string, round: number) =>
    prompt({
      ...STATE,
      rules: rulesOf(variant),
      phase: 'play',
      seats: STATE.seats.map((s) => ({ ...s, round })),
      turn: { ...STATE.turn, drew: true },
    });
  it('asks for melds only where they may be laid', () => {
    expect(playing('rummy51', 1)).toBe('No melds in your first round: discard a card');
    expect(playing('rummy51', 2)).toBe('Lay melds, or discard a card');
    expect(playing('rummy40', 1)).toBe('Lay melds, or discard a card');
  });
});

group('a hand that ends without cards to draw', () => {
  it('has a winner who did not go out', () => {
    const end = (winner: number) => say('hand_ended', null, { winner, ending: 'no_cards', rummy: false });
    expect(end(1)).toBe('No cards are left to draw: Karim has the lowest hand.');
    expect(end(0)).toBe('No cards are left to draw: you have the lowest hand.');
  });
});

it('has a sentence for a refusal whose code is new', () => {
  expect(refusalSaid({ code: 'too_windy' })).toBe(refusalSaid({ code: 'another_one' }));
  expect(refusalSaid({ code: 'too_windy' })).not.toBe(refusalSaid({ code: 'not_your_turn' }));
  expect(refusalSaid({ code: 'too_windy' })).not.toBe('');
});
