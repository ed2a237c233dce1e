/* Whole games of bots, played by the engine, as the page replays them. */
import { load, type Engine } from '@rummyd/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { momentOf, storyOf, turnsOf, type Eyes } from './moments';
import { played } from './bot-games';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});
const read = (text: string) => ({ text, hands: engine.record.parse(text) });
const OPEN: Eyes = { seat: 0, open: true };

describe.each(['rummy51', 'straight', 'points'])('a hand of %s', (variant) => {
  it('has a moment for the deal and each move, and ends as its record does', () => {
    const record = read(played(engine, { variant, players: 3 }));
    const { hand, moments, broken } = storyOf(engine, record, 0, OPEN);
    expect(broken).toBe(null);
    expect(moments.map((m) => m.at)).toEqual([...hand.steps.keys(), hand.steps.length]);
    expect(moments.slice(1).map((m) => m.turn)).toEqual(hand.steps.map((s) => s.turn));
    const last = moments.at(-1);
    expect(last?.table.result?.winner).toBe(hand.result?.winner);
    const points = last?.table.result?.scores.map((s) => [s.seat, s.points]);
    expect(points?.sort()).toEqual(hand.result?.scores.map((s) => [s.seat, s.points]));
    expect(last?.hands.map((h) => h.length)).toEqual(hand.result?.scores.map((s) => s.cards_n));
  });

  it('shows one seat no card that it did not see', () => {
    const record = read(played(engine, { variant, players: 3 }));
    const open = storyOf(engine, record, 0, OPEN);
    const own = storyOf(engine, record, 0, { seat: 1, open: false });
    expect(own.moments.length).toBe(open.moments.length);
    own.moments.forEach((moment, i) => {
      expect(moment.hands[0]).toEqual([]);
      expect(moment.hands[2]).toEqual([]);
      expect(moment.hands[1]?.slice().sort()).toEqual(open.moments[i]?.hands[1]?.slice().sort());
      expect(moment.table.hand).toEqual(moment.hands[1]);
      for (const event of moment.events)
        if (event.t === 'drew' && event.seat !== 1 && event.d.from === 'stock')
          expect(event.d.card).toBeUndefined();
      expect(moment.table.stockN).toBe(open.moments[i]?.table.stockN);
    });
  });

  it('describes moves with names, and with "you" for the viewer', () => {
    const record = read(played(engine, { variant, players: 3 }));
    const onlooker = storyOf(engine, record, 0, { seat: 0, open: false });
    const player = storyOf(engine, record, 0, { seat: 0, open: false }, [{ mine: true }]);
    const said = (story: typeof player) => story.moments.flatMap((m) => m.said).join('\n');
    expect(said(onlooker)).toMatch(/^A drew/m);
    expect(said(onlooker)).not.toMatch(/^You /m);
    expect(said(player)).toMatch(/^You drew the /m);
    expect(said(player)).not.toMatch(/^A drew/m);
  });
});

it('describes every move and, with open hands, the drawn card', () => {
  const record = read(played(engine, { variant: 'rummy51', players: 2 }));
  const { moments } = storyOf(engine, record, 0, OPEN);
  for (const moment of moments) expect(moment.said.length).toBeGreaterThan(0);
  const drew = moments.find((m) => m.events.some((e) => e.t === 'drew' && e.d.from === 'stock'));
  expect(drew?.said[0]).toMatch(/ drew the .+ from the stock\.$/);
});

it('a session keeps the points of its hands', () => {
  const record = read(played(engine, { variant: 'deals3', players: 2 }));
  const last = record.hands.length - 1;
  expect(last).toBeGreaterThanOrEqual(2);
  const { moments } = storyOf(engine, record, last, OPEN);
  const end = moments.at(-1)?.table;
  expect(moments[0]?.table.history.map((h) => h.handNo)).toEqual(
    record.hands.slice(0, last).map((h) => h.hand_no),
  );
  expect(end?.history.map((h) => h.handNo)).toEqual(record.hands.map((h) => h.hand_no));
  expect(end?.history[0]?.points).toEqual(record.hands[0]?.result?.scores.map((s) => s.points));
  expect(end?.phase).toBe('over');
});

it('stops at an invalid move and names it', () => {
  const text = played(engine, { variant: 'rummy51', players: 2 });
  const broken = text.replace(/^(5\. \d .*throw )(\w+)/m, '$1X4');
  const story = storyOf(engine, read(broken), 0, OPEN);
  expect(story.broken?.turn).toBe(5);
  expect(story.moments.at(-1)?.turn).toBeLessThanOrEqual(5);
  expect(story.moments.length).toBeGreaterThan(4);
});

it('finds the moment of a turn, and of a move in it', () => {
  const record = read(played(engine, { variant: 'rummy51', players: 2 }));
  const { moments } = storyOf(engine, record, 0, OPEN);
  expect(momentOf(moments, 0, null)).toBe(0);
  for (const moment of moments.slice(1)) {
    expect(momentOf(moments, moment.turn, moment.move)).toBe(moment.at);
    const end = moments.filter((m) => m.turn === moment.turn).at(-1);
    expect(momentOf(moments, moment.turn, null)).toBe(end?.at);
  }
  expect(momentOf(moments, 999, null)).toBe(moments.length - 1);
  const turns = turnsOf(moments);
  expect(turns.flat()).toEqual(moments);
  expect(turns.slice(1).map((t) => t[0]?.turn)).toEqual(turns.slice(1).map((_, i) => i + 1));
});
