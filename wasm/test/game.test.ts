/* A game through the typed API: views, moves, refusals, and results. */
import { beforeAll, describe, expect, it } from 'vitest';
import { EngineError, type Engine, type Game, type Move } from '../src/node.js';
import { dice, theEngine } from './common.js';

let engine: Engine;
beforeAll(async () => {
  engine = await theEngine();
});

/* The values from web/src/lib/fair/deal.test.ts, which an independent program computed
 * (docs/fairness.md). */
const FAIR = {
  server_seed: '000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f',
  client_seeds: ['', '6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283', '', ''],
  table_id: 917,
};
const HAND = '5C1 KD1 AC1 2H2 TS2 JD1 2C1 JC2 4C1 4D1 9D1 2C2 7C1 JH1'.split(' ');

const code = (act: () => unknown) => {
  try {
    act();
  } catch (error) {
    if (error instanceof EngineError) return error.code;
    throw error;
  }
  return 'ok';
};

describe('a deal', () => {
  it('matches an independent implementation', () => {
    expect(engine.commit(FAIR.server_seed)).toBe(
      '630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd',
    );
    const { game, events } = engine.deal({ variant: 'rummy51', players: 4 }, FAIR);
    expect(game.view().starter).toBe(3);
    expect(game.view().hands?.[1]?.slice().sort()).toEqual([...HAND].sort());
    expect(events.map(({ t }) => t)).toEqual(['dealt', 'dealt', 'dealt', 'dealt', 'turn']);
    expect(events.map(({ v }) => v)).toEqual([1, 2, 3, 4, 5]);
    game.close();
  });

  it('of a later hand skips seats that are out', () => {
    const table = { variant: 'pool101', players: 4 };
    const dealt = engine.handsOf(
      table,
      { ...FAIR, client_seeds: [] },
      { hand_no: 5, starter: 2, out: [0, 3] },
    );
    expect(dealt.starter).toBe(2);
    expect(dealt.hands.map((hand) => hand.length)).toEqual([0, 13, 13, 0]);
    const second = '7D1 4C1 8S1 QH2 AH1 KD2 8C1 8D2 JH1 9C1 3C2 QS2 X1'.split(' ');
    expect(dealt.hands[2]?.slice().sort()).toEqual(second.sort());
    expect(engine.handsOf({ variant: 'rummy51', players: 4 }, FAIR, { hand_no: 1 })).toMatchObject({
      starter: 3,
      wild: null,
    });
    for (const hand of [
      { hand_no: 0 },
      { hand_no: 1, out: [1] },
      { hand_no: 5, starter: 0, out: [0] },
      { hand_no: 5, starter: 7 },
    ])
      expect(code(() => engine.handsOf(table, FAIR, hand))).toBe('no_such_seat');
    expect(code(() => engine.handsOf(table, FAIR, { hand_no: 100, starter: 1 }))).toBe('wrong_position');
  });

  it('shows each seat only its own cards', () => {
    const game = engine.newGame({ variant: 'rummy51', players: 4 });
    const events = game.deal(FAIR, 1);
    expect(events.map((e) => (e.t === 'dealt' ? (e.d.cards?.length ?? 0) : null))).toEqual([
      0,
      14,
      0,
      0,
      null,
    ]);
    expect(game.view(1)).toMatchObject({
      me: 1,
      hand: expect.arrayContaining(HAND),
      hand_no: 1,
      phase: 'play',
    });
    expect(game.view(1)).not.toHaveProperty('hands');
    expect(game.view('spectator')).toMatchObject({ me: null, hand: [] });
    game.close();
  });

  it('accepts parameters and options', () => {
    const params = (table: object) =>
      engine.newGame({ variant: 'rummy51', players: 2, ...table }).view().params;
    expect(params({ params: { opening_min: 42 } })['opening_min']).toBe(42);
    expect(params({ options: { opening_min: 61 } })['opening_min']).toBe(61);
    expect(code(() => params({ params: { opening_min: 999 } }))).toBe('bad_params');
    expect(code(() => params({ params: { no_such: 1 } }))).toBe('bad_params');
    expect(code(() => params({ options: { target: 100 } }))).toBe('bad_params');
    expect(code(() => params({ players: 5 }))).toBe('bad_params');
    expect(code(() => params({ variant: 'whist' }))).toBe('unknown_variant');
    expect(engine.variants.map(({ variant }) => variant)).toContain('pool201');
  });

  it('requires valid seeds and the right moment', () => {
    const game = engine.newGame({ variant: 'rummy51', players: 2 });
    expect(code(() => game.deal({ server_seed: 'ab' }))).toBe('bad_seed');
    expect(code(() => game.deal({ ...FAIR, table_id: -1, client_seeds: [] }))).toBe('bad_seed');
    expect(code(() => game.deal({ server_seed: 'xy'.repeat(32) }))).toBe('bad_seed');
    expect(code(() => game.deal({ ...FAIR, client_seeds: ['abcd'] }))).toBe('bad_seed');
    game.deal(FAIR);
    expect(code(() => game.deal(FAIR))).toBe('no_deal_now');
    game.close();
  });
});

/** Plays a session with random legal moves; the engine must accept every move that it lists as legal. */
function playLegal(game: Game, roll: () => number): number {
  let moves = 0;
  game.deal({ ...FAIR, table_id: Math.floor(roll() * 1e9), client_seeds: [] });
  for (let view = game.view(); ['draw', 'play', 'group'].includes(view.phase); view = game.view()) {
    const seat = view.to_move ?? (view.to_group[0] as number);
    const legal = game.legal(seat, true);
    expect(legal.types.length).toBeGreaterThan(0);
    for (const move of legal.moves.slice(0, 1)) {
      const copy = game.copy();
      expect(copy.apply(seat, move).length).toBeGreaterThan(0);
      copy.close();
    }
    const usual = legal.moves.filter(({ t }) => !['take_back', 'cancel_draw', 'drop'].includes(t));
    const chosen = usual[Math.floor(roll() * usual.length)] ?? game.botMove(seat, 'easy');
    game.apply(seat, chosen);
    if (++moves > 3000) break;
  }
  return moves;
}

describe('a move', () => {
  it('that is listed as legal is accepted', () => {
    for (const { variant } of engine.variants)
      for (let number = 0; number < 2; number++) {
        const game = engine.newGame({ variant, players: 2 + (number % 2) });
        expect(playLegal(game, dice(number + 1))).toBeGreaterThan(5);
        game.close();
      }
  });

  it('that is illegal throws its code and the cards at fault, and changes nothing', () => {
    const { game } = engine.deal({ variant: 'rummy51', players: 4 }, FAIR);
    const before = game.hash();
    expect(code(() => game.apply(0, { t: 'draw', d: { from: 'stock' } }))).toBe('not_your_turn');
    expect(code(() => game.apply(3, { t: 'draw', d: { from: 'stock' } }))).toBe('already_drawn');
    const own = game.view(3).hand[0] as string;
    try {
      game.apply(3, { t: 'discard', d: { cards: ['5C1'] } });
    } catch (error) {
      expect(error).toMatchObject({ code: 'card_not_held', cards: ['5C1'] });
    }
    expect(game.hash()).toBe(before);
    expect(game.apply(3, { t: 'discard', d: { cards: [own] } }).map(({ t }) => t)).toEqual([
      'discarded',
      'turn',
    ]);
    game.close();
  });

  it('of the wrong shape throws, too', () => {
    const { game } = engine.deal({ variant: 'points', players: 2 }, { ...FAIR, client_seeds: [] });
    const seat = game.view().to_move as number;
    const wrong: unknown[] = [
      null,
      {},
      { t: 'whist' },
      { t: 'toString' },
      { t: 'draw' },
      { t: 'draw', d: { from: 'sleeve' } },
      { t: 'discard', d: { cards: ['ZZ9'] } },
      { t: 'discard', d: { cards: [1] } },
      { t: 'discard', d: { cards: Array(99).fill('5C1') } },
      { t: 'lay_off', d: { card: '5C1', meld: -1 } },
      { t: 'lay_off', d: { card: '5C1', meld: 1e9 } },
      { t: 'lay_off', d: { card: '5C1', meld: 0, end: 'middle' } },
      { t: 'declare', d: { groups: Array(300).fill([]), finish: '5C1' } },
    ];
    for (const move of wrong) expect(code(() => game.apply(seat, move as Move))).toBe('bad_move');
    expect(code(() => game.apply(1.5, { t: 'draw', d: { from: 'stock' } }))).toBe('bad_move');
    game.close();
  });
});

describe('a game', () => {
  it('cannot be used after it was closed', () => {
    const game = engine.newGame({ variant: 'rami', players: 3 });
    game.close();
    game.close();
    expect(code(() => game.view())).toBe('no_such_game');
  });

  it('needs one of 256 slots', () => {
    const games: Game[] = [];
    const found = code(() => {
      for (let n = 0; n < 300; n++) games.push(engine.newGame({ variant: 'rami', players: 3 }));
    });
    for (const game of games) game.close();
    expect(found).toBe('too_many_games');
    expect(games.length).toBeGreaterThan(200);
    expect(games.length).toBeLessThanOrEqual(256);
  });
});

describe('the solvers', () => {
  it('arrange a hand of the declare family', () => {
    const cards = 'AH1 2H1 3H1 4S1 5S1 6S1 9C1 9D1 9H1 QC1 QD1 QS1 QH1'.split(' ');
    expect(engine.arrange({ variant: 'points' }, cards, '7D1')).toMatchObject({
      points: 0,
      rest: [],
      complete: true,
    });
    const loose = engine.arrange({ variant: 'points' }, [...cards.slice(0, 12), 'KD1', '2C1'], '7D1');
    expect(loose).toMatchObject({ complete: false, finish: expect.any(String) });
    expect(loose.groups.flat().length + loose.rest.length).toBe(13);
  });

  it('arrange a hand of the meld family', () => {
    const found = engine.arrange({ variant: 'rummy51' }, 'TH1 JH1 QH1 5C1 5D1 5S1 2C1 X1'.split(' '));
    expect(found.groups.map((group) => group.length).sort()).toEqual([3, 4]);
    expect(found).toMatchObject({ rest: ['2C1'], points: 2, worth: 55, complete: false });
  });

  it('refuse cards that are not a hand', () => {
    const wrong = [[], ['5C1', '5C1'], ['ZZ1'], Array(16).fill('5C1'), ['5C1 6C1\0']];
    for (const cards of wrong)
      expect(code(() => engine.arrange({ variant: 'rummy51' }, cards))).toBe('bad_cards');
    expect(code(() => engine.arrange({ variant: 'points' }, ['5C1'], 'nothing'))).toBe('bad_cards');
  });

  it('find the melds that open', () => {
    let opened = 0;
    for (let number = 0; number < 12; number++) {
      const { game } = engine.deal(
        { variant: 'rummy51', players: 2 },
        { ...FAIR, table_id: number, client_seeds: [] },
      );
      for (let moves = 0; moves < 200 && game.view().phase !== 'over'; moves++) {
        const seat = game.view().to_move as number;
        const told = game.opening(seat);
        if (told.opens) {
          expect(told.worth + told.staged_sum).toBeGreaterThanOrEqual(51);
          const copy = game.copy();
          const events = told.melds.flatMap(({ cards }) => copy.apply(seat, { t: 'meld', d: { cards } }));
          const last = copy.view(seat).hand.find((card) => !card.startsWith('X')) as string;
          events.push(...copy.apply(seat, { t: 'discard', d: { cards: [last] } }));
          const opening = events.find((event) => event.t === 'opened'); // as soon as the sum suffices
          expect(opening?.d.sum).toBeGreaterThanOrEqual(51);
          expect(opening?.d.sum).toBeLessThanOrEqual(told.staged_sum + told.worth);
          copy.close();
          opened++;
        }
        game.apply(seat, game.botMove(seat, 'medium'));
      }
      game.close();
    }
    expect(opened).toBeGreaterThan(5);
  });
});
