import { describe, expect, it } from 'vitest';
import type { EventType, Snapshot, TableEvent } from './protocol';
import {
  applyEvent,
  fromSnapshot,
  fromWaiting,
  isFreshDeal,
  isMyTurn,
  meldWorth,
  others,
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
    avatar: null,
    bot: seat !== 1,
    on: true,
  })),
};

function play(state: TableState, ...events: [EventType, number | null, object][]): TableState {
  return events.reduce((s, [t, seat, d]) => {
    const applied = applyEvent(s, { v: s.v + 1, t, seat, d } as TableEvent);
    expect(applied.what).toBe('applied');
    return applied.state;
  }, state);
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
  it('ignores what it knows and reports a gap', () => {
    const state = dealt();
    const old = applyEvent(state, { v: state.v, t: 'away', seat: 2, d: {} });
    expect(old).toEqual({ state, what: 'old' });
    const gap = applyEvent(state, { v: state.v + 2, t: 'away', seat: 2, d: {} });
    expect(gap).toEqual({ state, what: 'gap' });
  });

  it('counts an event of a later protocol without knowing it', () => {
    const state = dealt();
    const next = applyEvent(state, { v: state.v + 1, t: 'sneezed', seat: 2, d: {} } as unknown as TableEvent);
    expect(next.what).toBe('applied');
    expect(next.state.v).toBe(state.v + 1);
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
    const state = fromWaiting('9', 'ab', seats, '77');
    expect(state.me).toBe(2);
    expect(isFreshDeal(state)).toBe(false);
    expect(isFreshDeal(dealt())).toBe(true);
    expect(isFreshDeal(myTurn())).toBe(false);
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

describe('worth of a meld', () => {
  it('counts a joker as the card it stands for and an ace as ten', () => {
    expect(meldWorth({ kind: 'run', low: 0, cards: ['AC1', '2C1', '3C1'] })).toBe(15);
    expect(meldWorth({ kind: 'run', low: 11, cards: ['QC1', 'X1', 'AC1'] })).toBe(30);
    expect(meldWorth({ kind: 'set', low: 8, cards: ['9D1', '9H1', '9S1', 'X1'] })).toBe(36);
  });
});
