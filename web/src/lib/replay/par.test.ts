/* Par: the same record gives the same result, strong play is worth more than weak play, and par exists for
 * every variant. */
import { load, type Engine, type Level } from '@rummyd/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { parOf, type Par } from './par';
import { played } from './bot-games';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});

function whole(text: string, seat: number, most: number): Par | null {
  const steps = parOf(engine, text, seat, most);
  for (let last = 0; ;) {
    const step = steps.next();
    if (step.done) return step.value;
    expect(step.value).toBeGreaterThan(last);
    expect(step.value).toBeLessThanOrEqual(1);
    last = step.value;
  }
}
const game = (variant: string, own: Level, seed: string) =>
  played(engine, { variant, players: 2 }, [own, 'medium'], seed);

describe('the par of a game', () => {
  it('is the same each time', () => {
    const text = game('rummy51', 'easy', '5e');
    const first = whole(text, 0, 20);
    expect(first?.runs).toBe(20);
    expect(whole(text, 0, 20)).toEqual(first);
  });

  it('is higher for strong play than for weak play of the same deals', () => {
    const seeds = ['01', '23', '45', '67', '89', 'ab'];
    const mean = (own: Level) =>
      seeds.reduce((sum, seed) => sum + (whole(game('rummy51', own, seed), 0, 40)?.beaten ?? NaN), 0) /
      seeds.length;
    const strong = mean('strong');
    expect(strong).toBeGreaterThan(mean('easy') + 0.1);
    expect(strong).toBeGreaterThan(0.25);
    expect(strong).toBeLessThan(0.75);
  });

  it('compares the sums of a session of several hands', () => {
    const text = game('pool101', 'medium', '5e');
    const hands = engine.record.parse(text);
    const own = hands.reduce((sum, hand) => sum + (hand.result?.scores[0]?.points ?? 0), 0);
    const par = whole(text, 0, 10);
    expect(hands.length).toBeGreaterThan(1);
    expect(par).toMatchObject({ runs: 10, own });
  });

  it('does not exist for a hand without a result', () => {
    const { game: open } = engine.deal({ variant: 'rummy51', players: 2 }, { server_seed: '5e'.repeat(32) });
    const text = open.record([{ name: 'A' }, { name: 'B' }]);
    open.close();
    expect(whole(text, 0, 5)).toBeNull();
  });

  it('exists in every variant', () => {
    for (const { variant } of engine.variants)
      expect(whole(game(variant, 'medium', '5e'), 0, 3), variant).toMatchObject({ runs: 3 });
  });
});
