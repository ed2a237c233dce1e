/* The cost of habits: the habits of bots with a planted habit are detected, and the strong bot has none. */
import { load, type Engine, type Game, type Move } from '@rummyd/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { costliest, feeds, habitsOf, sumOf, type GameCosts } from './habits';
import { played } from './bot-games';

const GAMES = 24;
const RUNS = 8;
let engine: Engine;
beforeAll(async () => {
  engine = await load();
});

type Way = (game: Game, seat: number, move: Move) => Move;

function gamesOf(variant: string, way: Way): GameCosts[] {
  return Array.from({ length: GAMES }, (_, n) => {
    const seed = (0x11 + n).toString(16);
    const text = played(engine, { variant, players: 2 }, ['strong', 'medium'], seed, (game, seat, move) =>
      seat === 0 ? way(game, seat, move) : move,
    );
    const steps = habitsOf(engine, text, 0, RUNS);
    for (;;) {
      const step = steps.next();
      if (step.done) return sumOf(step.value);
    }
  });
}

const points = (variant: string, card: string) => engine.arrange({ variant }, [card]).points;

/** Discards the lightest ungrouped card instead of a high one. */
const keepsKings: Way = (game, seat, move) => {
  if (move.t !== 'discard' || points('rummy51', move.d.cards[0] ?? '') < 10) return move;
  const { rest } = engine.arrange({ variant: 'rummy51' }, game.view(seat).hand);
  const light = rest
    .filter((card) => points('rummy51', card) < 10)
    .sort((a, b) => points('rummy51', a) - points('rummy51', b));
  return light[0] ? { t: 'discard', d: { cards: [light[0]] } } : move;
};

/** Opens in the ninth round at the earliest: until then, it takes no discard, and discards the card that it
 * would have discarded after melding. */
const opensLate: Way = (game, seat, move) => {
  const view = game.view(seat);
  const own = view.seats[seat];
  if (own?.opened || (own?.round ?? 0) >= 9) return move;
  if (move.t === 'draw') return { t: 'draw', d: { from: 'stock' } };
  if (move.t !== 'meld') return move;
  const ahead = game.copy();
  let next: Move = move;
  while (next.t !== 'discard' && ahead.view(seat).to_move === seat) {
    ahead.apply(seat, next);
    if (ahead.view(seat).to_move === seat) next = ahead.botMove(seat, 'strong');
  }
  ahead.close();
  return next.t === 'discard' ? next : { t: 'discard', d: { cards: [view.hand[0] ?? ''] } };
};

describe('of 24 games', () => {
  it('the strongest bot has no habit', () => {
    expect(costliest(gamesOf('rummy51', (_, __, move) => move))).toEqual([]);
  });
  it.each([
    ['high', keepsKings],
    ['opening', opensLate],
  ] as const)('a bot with the planted habit %s has it first', (habit, way) => {
    const found = costliest(gamesOf('rummy51', way));
    expect(found[0]?.habit).toBe(habit);
  });
});

it('a cost below its standard error is not shown', () => {
  const game = (high: number, pile: number): GameCosts => sumOf([{ high, pile }, {}]);
  expect(costliest([game(10, 30), game(12, -28)]).map(({ habit }) => habit)).toEqual(['high']);
  const [high] = costliest([game(10, 0), game(12, 0)]);
  expect(high?.cost).toBe(5.5);
  expect(high?.error).toBeCloseTo(Math.sqrt((100 + 144 - 4 * 5.5 ** 2) / 3 / 4));
  expect(costliest([])).toEqual([]);
});

it('a card feeds the next player by what all could see', () => {
  const meld = {
    id: 0,
    kind: 'run',
    owner: 1,
    low: 3,
    suit: 'H',
    staged: false,
    cards: ['4H1', '5H1', '6H1'],
  };
  const view = (opened: boolean) => ({ melds: [meld], seats: [{ opened: true }, { opened }] }) as never;
  expect(['3H1', '7H1', '8H1', '7D1'].filter((card) => feeds(view(true), 1, [], card))).toEqual([
    '3H1',
    '7H1',
  ]);
  expect(feeds(view(false), 1, [], '7H1')).toBe(false);
  expect(
    ['KC1', 'TD1', '9D1', '8D2', 'X1'].filter((card) => feeds(view(false), 1, ['KD1', 'TD2'], card)),
  ).toEqual(['KC1', 'TD1', '9D1', '8D2']);
});

it.each(['rummy51', 'straight', 'treff', 'rummy40', 'rami', 'points', 'pool101'])(
  'hands of %s are imagined at each turn of a beginner',
  (variant) => {
    const text = played(engine, { variant, players: 3 }, ['easy'], '5e');
    const steps = habitsOf(engine, text, 1, 1);
    let step = steps.next();
    while (!step.done) step = steps.next();
    const costs = step.value.flatMap((hand) => Object.values(hand));
    expect(costs.length).toBeGreaterThan(0);
    expect(costs.every(Number.isFinite)).toBe(true);
  },
);
