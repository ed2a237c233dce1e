/* The bot's judgment of hands: its own games have no loss, a planted blunder is found, and a repeated
 * analysis gives the same result. */
import { load, type Engine, type Level } from '@rummyd/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { analyse, gravest, type Analysis, type TurnWeighed } from './analysis';
import { played } from './bot-games';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});

function whole(text: string): Analysis {
  const steps = analyse(engine, text, 0);
  for (let last = 0; ;) {
    const step = steps.next();
    if (step.done) return step.value;
    expect(step.value).toBeGreaterThanOrEqual(last);
    last = step.value;
  }
}
const game = (variant: string, levels: Level[], players = 2) => played(engine, { variant, players }, levels);

describe.each(['rummy51', 'straight', 'points'])('the strongest bot at %s', (variant) => {
  it('has nothing to say against its own play', () => {
    const { turns, seats } = whole(game(variant, ['strong']));
    expect(turns.length).toBeGreaterThan(3);
    expect(
      turns.map((t) => [t.turn, t.loss, t.missed]).filter(([, loss, missed]) => loss !== 0 || missed),
    ).toEqual([]);
    expect(seats.map((s) => s.loss)).toEqual([0, 0]);
    expect(gravest(turns, 5, null)).toEqual([]);
  });

  it('says the same each time, and of a weak bot more than of itself', () => {
    const text = game(variant, ['strong', 'easy']);
    const first = whole(text);
    expect(whole(text)).toEqual(first);
    expect(first.seats[0]?.loss).toBe(0);
    for (const turn of first.turns) expect(turn.loss).toBeGreaterThanOrEqual(turn.drawLoss);
  });
});

it('a card of a finished meld that is thrown is the gravest moment', () => {
  const text = game('rummy51', ['strong']);
  const replay = engine.record.replay(text, 0);
  const at = replay.hand.steps.findIndex((s) => s.move.t === 'discard');
  const step = replay.hand.steps[at];
  replay.seek(at);
  const cards = replay.game.view(step?.seat ?? 0).hand;
  replay.close();
  const dead = (thrown: string) =>
    engine.arrange(
      { variant: 'rummy51' },
      cards.filter((c) => c !== thrown),
    ).points;
  const { groups } = engine.arrange({ variant: 'rummy51' }, cards);
  const blunder = groups[0]?.find((c) => !c.startsWith('X')) ?? '';
  const chosen = (step?.move.d as { cards: string[] }).cards[0] ?? '';
  expect(dead(blunder)).toBeGreaterThan(dead(chosen));
  /* The game up to this turn, with this discard instead of the bot's. */
  const lines = text.split('\n');
  const line = lines.findIndex((l) => l.startsWith(`${step?.turn}. `));
  const planted = lines[line]?.replace(/throw .*/, `throw ${blunder}`) ?? '';
  const { turns } = whole([...lines.slice(0, line), planted, ''].join('\n'));
  const found = gravest(turns, 3, null)[0];
  expect(found?.turn).toBe(step?.turn);
  expect(found?.loss).toBe(dead(blunder) - dead(chosen));
});

it('the own moments come first, the others by what they cost', () => {
  const turn = (seat: number, turn: number, loss: number, missed: TurnWeighed['missed'] = null) =>
    ({ seat, turn, loss, drawLoss: 0, missed }) as TurnWeighed;
  const turns = [turn(0, 1, 9), turn(1, 2, 3), turn(0, 3, 2, 'opening'), turn(1, 4, 5), turn(1, 5, 0.5)];
  const order = (own: number | null) => gravest(turns, 3, own).map((t) => t.turn);
  expect(order(null)).toEqual([3, 1, 4]);
  expect(order(1)).toEqual([4, 2, 3]);
});
