import type { ServerFrame } from '@rummyd/client';
import { load, type Engine } from '@rummyd/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { melds } from '$lib/guide/scripts/melds';
import { filterOf, searchFor } from './filter';
import { answerOf, buttonsOf, choiceOf, comparison, handOf, sourceAddress, type PuzzleTry } from './puzzles';
import { puzzleLine } from './table';

const tried = (choice: string, answer: string, worths: [string, number][]): PuzzleTry => ({
  ...{
    choice,
    answer,
    right: choice === answer,
    rating: 1,
    rating_before: 1,
    puzzle_rating: 1,
    streak: null,
  },
  choices: worths.map(([choice, worth]) => ({ choice, worth, error: 0 })),
  source: { game: '51', hand: 2, turn: 14, move: 1 },
});
const CARDS: [string, number][] = [
  ['5D', 0.62],
  ['KS', 0.55],
  ['QC', 0.5],
];
const PILES: [string, number][] = [
  ['stock', 0.5],
  ['discard', 0.4],
];
const position = `${melds('rummy51', { min: 51, must: true, kept: true }).record.trimEnd()}\n\n1. 0 stock 3C1\n`;

describe('the words of a puzzle', () => {
  it('compare the best choice with the own one, or with the next', () => {
    expect(comparison('discard', tried('KS', '5D', CARDS))).toBe('The 5♦ is worth 62%, your K♠ 55%.');
    expect(comparison('discard', tried('5D', '5D', CARDS))).toBe('The 5♦ is worth 62%, the K♠ 55%.');
    expect(comparison('draw', tried('discard', 'stock', PILES))).toBe(
      'Drawing from the stock is worth 50%, your choice 40%.',
    );
    expect(comparison('draw', tried('stock', 'stock', PILES))).toBe(
      'Drawing from the stock is worth 50%, the next-best choice 40%.',
    );
  });

  it('have buttons where no card is the answer', () => {
    expect(buttonsOf({ options: ['5D', 'X'] })).toEqual([]);
    expect(buttonsOf({ options: ['stock', 'discard', 'drop'] })).toEqual(['stock', 'discard', 'drop']);
  });

  it('lead to the moment before the choice', () => {
    const one = tried('5D', '5D', CARDS);
    expect(sourceAddress(one, { seat: 2 })).toBe('/games/51/replay?hand=2&turn=14&move=1&seat=2');
    const first = { ...one, source: { game: '51', hand: 1, turn: 14, move: 0 } };
    expect(sourceAddress(first, { seat: 2 })).toBe('/games/51/replay?turn=13&seat=2');
    expect(sourceAddress({ ...one, source: null }, { seat: 2 })).toBe('');
  });
});

it('a move at the table is an answer if it is one of the options', () => {
  const cards = { options: ['5D', 'KS'] };
  expect(answerOf(cards, { t: 'discard', d: { cards: ['5D2'] } })).toBe('5D');
  expect(answerOf(cards, { t: 'discard', d: { cards: ['6D2'] } })).toBeNull();
  expect(answerOf(cards, { t: 'draw', d: { from: 'stock' } })).toBeNull();
  expect(answerOf({ options: ['stock', 'discard'] }, { t: 'draw', d: { from: 'stock' } })).toBe('stock');
  expect(answerOf({ options: ['open', 'wait'] }, { t: 'meld', d: { cards: [] } })).toBe('open');
  expect(['X3', 'TH1', 'TH2'].map(choiceOf)).toEqual(['X', 'TH', 'TH']);
});

it('the address contains only the puzzles to practice', () => {
  for (const search of ['', '?variant=points&theme=draw', '?tag=high_cards'])
    expect(searchFor(filterOf(search))).toBe(search);
  expect(filterOf('?variant=chess&theme=x&tag=<b>')).toEqual({});
});

describe('the position', () => {
  let engine: Engine;
  beforeAll(async () => {
    engine = await load();
  });

  it('is at the moment of the choice, and nothing moves it', async () => {
    const puzzle = {
      ...{ id: '31', variant: 'rummy51', players: 2, seat: 0, theme: 'discard' as const, tags: [] },
      ...{ position, options: ['5D', '3C'], rating: 1500, tries: 0, solved: 0, mine: null },
    };
    const answers: string[] = [];
    const frames: ServerFrame[] = [];
    const open = puzzleLine(engine, puzzle, (choice) => answers.push(choice));
    const line = open({ frame: (frame) => frames.push(frame), status: () => undefined });
    line.start();
    await Promise.resolve();
    const snapshot = frames.find((frame) => frame.t === 'snapshot');
    expect(snapshot?.d).toMatchObject({ phase: 'play', to_move: 0 });
    expect(snapshot?.d.hand).toHaveLength(15);
    expect([...(snapshot?.d.hand ?? [])].sort()).toEqual([...handOf(puzzle)].sort());
    expect(snapshot?.d.seats.map(({ bot, on }) => [bot, on])).toEqual([
      [false, true],
      [false, true],
    ]);
    for (const card of ['5D1', 'KD1'])
      expect(await line.send({ t: 'discard', d: { cards: [card] } }, undefined)).toMatchObject({ ok: false });
    expect(answers).toEqual(['5D']);
    expect(frames).toHaveLength(1);
    line.stop();
  });
});
