import { describe, expect, it } from 'vitest';
import type { EventType, Snapshot, TableEvent } from '@rummyd/client';
import { applyEvent } from './apply';
import {
  fromSnapshot,
  fromWaiting,
  isFreshDeal,
  isMyGrouping,
  isMyTurn,
  others,
  rejoinTotal,
  withSeats,
  type TableState,
} from './state';

const SNAPSHOT: Snapshot = {
  table: {
    id: '9',
    variant: 'rummy51',
    room: 'desert',
    hand_no: 1,
    commit: 'ab',
    stake: 10,
    reward: 10,
    multiplier: '1.0',
  },
  me: 1,
  phase: 'waiting',
  seats: [0, 1, 2, 3].map((seat) => ({
    seat,
    player_id: null,
    nick: `N${seat}`,
    avatar: 'fox',
    bot: seat !== 1,
    on: true,
  })),
};

function play(state: TableState, ...events: [EventType, number | null, object][]): TableState {
  return events.reduce((s, [t, seat, d]) => applyEvent(s, { v: s.v + 1, t, seat, d } as TableEvent), state);
}

const MY_HAND = [
  '6S1',
  '7S1',
  '8S1',
  'TD1',
  'TC1',
  'TH1',
  '2C1',
  '3C1',
  '4D1',
  '5D1',
  '9H1',
  'JH1',
  'KS1',
  'X1',
];

function dealt(): TableState {
  return play(
    fromSnapshot(0, SNAPSHOT),
    ['dealt', 0, { n: 15 }],
    ['dealt', 1, { cards: MY_HAND, n: 14 }],
    ['dealt', 2, { n: 14 }],
    ['dealt', 3, { n: 14 }],
    ['turn', 0, { round: 1, phase: 'play' }],
  );
}

function myTurn(): TableState {
  return play(
    dealt(),
    ['discarded', 0, { cards: ['9S1'], buried: false }],
    ['turn', 1, { round: 2, phase: 'draw' }],
  );
}

describe('dealing', () => {
  it('counts every card and keeps the own hand as dealt', () => {
    const state = dealt();
    expect(state.stockN).toBe(51);
    expect(state.seats.map((s) => s.cardsN)).toEqual([15, 14, 14, 14]);
    expect(state.hand).toEqual(MY_HAND);
    expect(state.dealt).toEqual(MY_HAND);
    expect(state.starter).toBe(0);
    expect(state.phase).toBe('play');
  });
});

describe('versions', () => {
  it('counts an event of a later protocol without knowing it', () => {
    const state = dealt();
    const next = applyEvent(state, { v: state.v + 1, t: 'sneezed', seat: 2, d: {} } as unknown as TableEvent);
    expect(next).toEqual({ ...state, v: state.v + 1 });
  });
});

describe('a turn', () => {
  it('draws from the stock and throws', () => {
    const state = play(myTurn(), ['drew', 1, { from: 'stock', card: 'QS1', must_open: false }]);
    expect(isMyTurn(state)).toBe(true);
    expect(state.stockN).toBe(50);
    expect(state.hand).toHaveLength(15);
    expect(state.turn.drawn).toBe('QS1');
    const after = play(state, ['discarded', 1, { cards: ['QS1'], buried: false }]);
    expect(after.hand).toEqual(MY_HAND);
    expect(after.discard).toEqual(['9S1', 'QS1']);
  });

  it('keeps what others draw from the stock unseen', () => {
    const state = play(
      myTurn(),
      ['turn', 2, { round: 1, phase: 'draw' }],
      ['drew', 2, { from: 'stock', must_open: false }],
    );
    expect(state.seats[2]?.cardsN).toBe(15);
    expect(state.hand).toEqual(MY_HAND);
  });

  it('takes the discard, is obliged to open, and puts it back', () => {
    const took = play(myTurn(), ['drew', 1, { from: 'discard', card: '9S1', must_open: true }]);
    expect(took.discard).toEqual([]);
    expect(took.turn).toMatchObject({ mustOpen: true, mayCancel: true });
    const back = play(took, ['draw_cancelled', 1, { card: '9S1' }]);
    expect(back.discard).toEqual(['9S1']);
    expect(back.phase).toBe('draw');
    expect(back.turn).toMatchObject({ stockOnly: true, mustOpen: false, drew: false });
    expect(back.hand).toEqual(MY_HAND);
  });

  it('stages melds, sums them up, takes one back and opens', () => {
    const run = { meld: 1, kind: 'run', cards: ['6S1', '7S1', '8S1'], low: 5, staged: true, worth: 21 };
    const set = { meld: 2, kind: 'set', cards: ['TD1', 'TC1', 'TH1'], low: 9, staged: true, worth: 30 };
    const drew = play(myTurn(), ['drew', 1, { from: 'stock', card: 'QS1' }], ['melded', 1, run]);
    expect(drew.turn.stagedSum).toBe(21);
    expect(drew.melds[0]).toMatchObject({ suit: 'S', owner: 1, staged: true });
    const back = play(drew, ['taken_back', 1, { meld: 1, cards: run.cards }]);
    expect(back.turn.stagedSum).toBe(0);
    expect(back.hand).toContain('7S1');
    const open = play(back, ['melded', 1, run], ['melded', 1, set], ['opened', 1, { sum: 51 }]);
    expect(open.seats[1]?.opened).toBe(true);
    expect(open.melds.every((m) => !m.staged)).toBe(true);
    expect(open.turn.mustOpen).toBe(false);
    expect(open.hand).toHaveLength(9);
  });

  it('lays off at both ends, swaps a joker and undoes it', () => {
    const meld = { meld: 4, kind: 'run', cards: ['5H1', 'X2', '7H1'], low: 4, staged: false, worth: 18 };
    const start = play(dealt(), ['melded', 0, meld]);
    const laid = play(
      start,
      ['laid_off', 0, { meld: 4, card: '4H1', end: 'low' }],
      ['laid_off', 0, { meld: 4, card: '8H2', end: 'high' }],
    );
    expect(laid.melds[0]).toMatchObject({ low: 3, cards: ['4H1', '5H1', 'X2', '7H1', '8H2'] });
    const swap = { meld: 4, card: '6H1', joker: 'X2', place: 2 };
    const swapped = play(laid, ['swapped', 0, swap]);
    expect(swapped.melds[0]?.cards[2]).toBe('6H1');
    expect(swapped.turn.freedJokers).toBe(1);
    expect(swapped.seats[0]?.cardsN).toBe(laid.seats[0]?.cardsN);
    const undone = play(swapped, ['swap_undone', 0, swap]);
    expect(undone.melds).toEqual(laid.melds);
    expect(undone.turn.freedJokers).toBe(0);
  });

  it('keeps the top discard when the pile is shuffled into the stock', () => {
    const state = play(
      myTurn(),
      ['discarded', 1, { cards: ['2C1'], buried: false }],
      ['reshuffled', null, { stock_n: 52 }],
    );
    expect(state.discard).toEqual(['2C1']);
    expect(state.stockN).toBe(52);
  });
});

describe('the end', () => {
  it('gathers the scores', () => {
    const score = { points: -40, place: 1, cards: [], opened: true, won: true, rummy: true, left: false };
    const state = play(
      dealt(),
      ['hand_ended', null, { winner: 0, ending: 'out', rummy: true }],
      ['scored', 0, score],
      ['scored', 1, { ...score, points: 96, place: 2, won: false, rummy: false, cards: MY_HAND }],
      ['session_ended', null, { winner: 0 }],
    );
    expect(state.phase).toBe('over');
    expect(state.result).toMatchObject({ winner: 0, rummy: true, ending: 'out' });
    expect(state.result?.scores.map((s) => s.seat)).toEqual([0, 1]);
    expect(state.seats[1]?.points).toBe(96);
  });
});

describe('before the deal', () => {
  it('knows the own seat by the player, and a hand as dealt by its version', () => {
    const seats = SNAPSHOT.seats.map((s) => ({ ...s, player_id: s.seat === 2 ? '77' : null }));
    const about = {
      variant: 'treff',
      room: 'Oasis',
      commit: 'ab',
      stake: 50,
      reward: 100,
      multiplier: '2.5',
    };
    const state = fromWaiting(
      '9',
      { ...about, visibility: 'public', seats, bots: false, bots_n: 0, host: 0, starts_in_ms: null },
      '77',
    );
    expect(state.me).toBe(2);
    expect(state.table).toEqual({ ...about, id: '9', hand_no: 1 });
    expect(state.rules.name).toBe('Treff');
    expect(isFreshDeal(state)).toBe(false);
    expect(isFreshDeal(dealt())).toBe(true);
    expect(isFreshDeal(myTurn())).toBe(false);
  });
});

describe('a snapshot of an Indian table', () => {
  const d: Snapshot = {
    ...SNAPSHOT,
    table: { ...SNAPSHOT.table, variant: 'pool101' },
    phase: 'group',
    dropped: [2],
    wrong: [],
    eliminated: [3],
    sat_out: [3],
    to_group: [1],
    declarer: 0,
    discard: ['5H1', 'KD1'],
    wild: { card: 'X1', rank: 'A' },
    drop_points: 0,
  };
  it('shows who is out, who declared, and the card in the slot', () => {
    const state = fromSnapshot(9, d);
    expect(state.seats.map((s) => [s.dropped, s.eliminated, s.satOut])).toEqual([
      [false, false, false],
      [false, false, false],
      [true, false, false],
      [false, true, true],
    ]);
    expect(state.declared).toMatchObject({ seat: 0, valid: true, finish: 'KD1' });
    expect(isMyGrouping(state)).toBe(true);
    expect(state.wildCard).toBe('X1');
  });
  it('has the price of a drop from the server, whatever the round and whoever is to move', () => {
    const before = { ...d, phase: 'draw' as const, to_move: 2, declarer: null, to_group: [] };
    expect(fromSnapshot(9, { ...before, drop_points: 20 }).dropPoints).toBe(20);
    expect(fromSnapshot(9, { ...before, drop_points: 40 }).dropPoints).toBe(40);
    expect(fromSnapshot(9, { ...before, drop_points: 0 }).dropPoints).toBe(0);
  });
});

describe('seats', () => {
  it('lists the others clockwise from the left', () => {
    expect(others(dealt()).map((s) => s.seat)).toEqual([2, 3, 0]);
  });

  it('takes names from a waiting frame and keeps the rest', () => {
    const state = withSeats(dealt(), [
      { seat: 0, player_id: '5', nick: 'Ann', avatar: 'owl', bot: false, on: true },
      ...SNAPSHOT.seats.slice(1),
    ]);
    expect(state.seats[0]).toMatchObject({ nick: 'Ann', playerId: '5', avatar: 'owl', cardsN: 15 });
  });
});

/** A table of another variant, just dealt: `cards` go to seat 1, the viewer. */
function table(variant: string, cards: string[], more: Partial<Snapshot> = {}): TableState {
  const snapshot = { ...SNAPSHOT, table: { ...SNAPSHOT.table, variant }, ...more };
  const n = cards.length;
  return play(
    fromSnapshot(0, snapshot),
    ['dealt', 0, { n }],
    ['dealt', 1, { cards, n }],
    ['dealt', 2, { n }],
    ['dealt', 3, { n }],
  );
}
const SCORE = { points: 0, place: 1, cards: [], opened: true, won: false, rummy: false, left: false };
const SEVEN = 'AC1 2C1 3C1 9D1 9H1 9S1 KD1'.split(' ');

describe('a session of several hands', () => {
  const over = () =>
    play(
      table('straight', SEVEN),
      ['discarded', null, { cards: ['5H1'], buried: false }],
      ['turn', 1, { round: 1, phase: 'draw' }],
      ['hand_ended', null, { winner: 1, ending: 'out', rummy: false }],
      ['scored', 1, { ...SCORE, points: 42, won: true, total: 42 }],
      ['scored', 0, { ...SCORE, points: 0, total: 0 }],
    );
  it('counts the card that begins the pile as one of the pack', () => {
    const state = play(table('straight', SEVEN), ['discarded', null, { cards: ['5H1'], buried: false }]);
    expect(state.stockN).toBe(23);
    expect(state.discard).toEqual(['5H1']);
    expect(state.seats.map((s) => s.cardsN)).toEqual([7, 7, 7, 7]);
  });
  it('keeps totals, clears the table for the next hand and remembers what was scored', () => {
    expect(over().seats[1]?.points).toBe(42);
    const next = play(over(), ['dealt', 0, { n: 7 }], ['dealt', 1, { cards: SEVEN, n: 7 }]);
    expect(next).toMatchObject({
      handNo: 2,
      discard: [],
      melds: [],
      result: null,
      starter: null,
      hand: SEVEN,
    });
    expect(next.stockN).toBe(37);
    expect(next.seats[1]).toMatchObject({ points: 42, cardsN: 7, opened: false });
    expect(next.history).toEqual([{ handNo: 1, points: [0, 42, null, null] }]);
    const turn = play(next, ['turn', 2, { round: 1, phase: 'draw' }]);
    expect(turn.starter).toBe(2);
  });
  it('ends with its winners and totals', () => {
    const end = play(over(), [
      'session_ended',
      null,
      { winner: null, winners: [1, 2], totals: [0, 42, 42, 1] },
    ]);
    expect(end.session).toEqual({ winners: [1, 2], totals: [0, 42, 42, 1] });
    expect(end.phase).toBe('over');
  });
});

describe('an opening minimum', () => {
  it('is the one of the table', () => {
    expect(table('rummy40', SEVEN).turn.openingMin).toBe(40);
    expect(table('rami', SEVEN, { params: { opening_min: 60 } }).turn.openingMin).toBe(60);
  });
});

describe('a swapped joker', () => {
  it('is owed until it is laid or put back', () => {
    const meld = { meld: 4, kind: 'run', cards: ['5H1', 'X2', '7H1'], low: 4, staged: false, worth: 18 };
    const swap = { meld: 4, card: '6H1', joker: 'X2', place: 1 };
    const owed = play(
      table('rummy40', ['6H1', '8H1', '9H1']),
      ['melded', 0, meld],
      ['turn', 1, { round: 2, phase: 'draw' }],
      ['swapped', 1, swap],
    );
    expect(owed.turn.freed).toEqual([{ joker: 'X2', meld: 4 }]);
    expect(play(owed, ['swap_undone', 1, swap]).turn.freed).toEqual([]);
    const laid = { meld: 5, kind: 'run', cards: ['8H1', '9H1', 'X2'], low: 7, staged: false, worth: 27 };
    expect(play(owed, ['melded', 1, laid]).turn.freed).toEqual([]);
  });
});

describe('a declared hand', () => {
  const THIRTEEN = '2H1 3H1 4H1 5H1 5C1 6C1 7C1 8C1 5D1 5C2 X1 QH1 QS1'.split(' ');
  const dealtIn = () =>
    play(
      table('pool101', THIRTEEN),
      ['discarded', null, { cards: ['X2'], buried: false }],
      ['wild', null, { card: 'QD1', rank: 11 }],
      ['turn', 1, { round: 1, phase: 'draw' }],
    );
  it('shows the wild card, and that the joker which began the pile may be taken', () => {
    const state = dealtIn();
    expect(state).toMatchObject({ wildCard: 'QD1', stockN: 52, mayTake: true, dropPoints: 20 });
  });
  it('closes the pile over a wild card thrown', () => {
    const state = play(
      dealtIn(),
      ['drew', 1, { from: 'stock', card: 'QC1' }],
      ['discarded', 1, { cards: ['QC1'], buried: false }],
    );
    expect(state).toMatchObject({ mayTake: false, dropPoints: 40 });
    const next = play(
      state,
      ['turn', 2, { round: 1, phase: 'draw' }],
      ['drew', 2, { from: 'stock' }],
      ['discarded', 2, { cards: ['2S1'], buried: false }],
    );
    expect(next.mayTake).toBe(true);
  });
  it('asks those still in it to group, until they are done', () => {
    const groups = [['2S1', '3S1', '4S1']];
    const state = play(
      dealtIn(),
      ['dropped', 3, { points: 20 }],
      ['declared', 0, { valid: true, groups, rest: ['KD1'] }],
    );
    expect(state.discard.at(-1)).toBe('KD1');
    expect(state.declared).toMatchObject({ finish: 'KD1', rest: [] });
    expect(state.toGroup).toEqual([1, 2]);
    expect(isMyGrouping(state)).toBe(true);
    const done = play(state, ['grouped', 1, { groups: [['2H1', '3H1', '4H1']], done: true }]);
    expect(isMyGrouping(done)).toBe(false);
    expect(done.grouping).toEqual([['2H1', '3H1', '4H1']]);
  });
  it('removes a wrong declarer from the deal and continues', () => {
    const state = play(dealtIn(), [
      'declared',
      1,
      { valid: false, groups: [], rest: THIRTEEN, finish: 'KD1' },
    ]);
    expect(state.seats[1]?.wrong).toBe(true);
    expect(state.phase).toBe('draw');
  });
  it('leaves who is eliminated out of the next deal, until they rejoin', () => {
    const state = play(
      dealtIn(),
      ['hand_ended', null, { winner: 1, ending: 'last', rummy: false }],
      ['scored', 0, { ...SCORE, points: 80, total: 120 }],
      ['eliminated', 0, { total: 120 }],
    );
    expect(state.seats[0]).toMatchObject({ eliminated: true, points: 120 });
    const highest = Math.max(...state.seats.slice(1).map((s) => s.points ?? 0));
    expect(rejoinTotal({ ...state, me: 0 })).toBe(highest + 1);
    expect(rejoinTotal(state)).toBeNull();
    const near = state.seats.map((s) => ({ ...s, points: s.seat === 2 ? 80 : s.points }));
    expect(rejoinTotal({ ...state, me: 0, seats: near })).toBeNull();
    const next = play(state, ['dealt', 1, { cards: THIRTEEN, n: 13 }]);
    expect(next.seats[0]).toMatchObject({ satOut: true, eliminated: true });
    expect(play(state, ['rejoined', 0, { total: 81 }]).seats[0]).toMatchObject({
      eliminated: false,
      points: 81,
    });
  });
});
