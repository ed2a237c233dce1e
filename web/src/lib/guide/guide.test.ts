/* Every guided hand and every lesson can be completed with exactly the moves of its steps. */
import { load, type Engine, type Move } from '@rummyd/engine';
import type { Command } from '@rummyd/client';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalConnection } from '$lib/local/connection';
import { LocalSession } from '$lib/local/session';
import english from '$lib/messages/en.json';
import { rulesOf } from '$lib/rules/rules';
import { Guide } from './guide.svelte';
import { lessonOf, lessonsOf, stagesOf } from './lessons';
import { isWanted } from './script';
import { GUIDED, scriptOf } from './scripts';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});
beforeEach(() => {
  vi.useFakeTimers();
});

async function begun(variant: string, lesson: string | null) {
  const script = await (lesson ? lessonOf(variant, lesson) : scriptOf(variant));
  if (!script) throw new Error('no script');
  const setting = { variant, names: ['You', 'Ada'], me: 0, level: 'easy', tableId: '1' } as const;
  const session = LocalSession.from(engine, setting, script.record);
  const guide = new Guide(script);
  const frames: string[] = [];
  const end = { frame: (frame: { t: string }) => void frames.push(frame.t), status: () => undefined };
  const line = new LocalConnection(session, { thinkMs: 1, lead: guide }, end);
  line.start();
  await vi.advanceTimersByTimeAsync(1);
  return { script, session, guide, line, frames };
}

async function playOut({ script, guide, line }: Awaited<ReturnType<typeof begun>>) {
  for (const step of script.steps) {
    await vi.advanceTimersByTimeAsync(20);
    expect(guide.step).toBe(step);
    expect(await line.send(step.want as Command), step.say).toMatchObject({ ok: true });
  }
  expect(guide.step).toBeNull();
  await vi.advanceTimersByTimeAsync(20);
}

const LESSONS = GUIDED.flatMap((variant) => lessonsOf(variant).map((lesson) => [variant, lesson] as const));
const ALL = [...GUIDED.map((variant) => [variant, null] as const), ...LESSONS];

it.each(GUIDED)('the guided hand of %s is won by what its steps ask for', async (variant) => {
  const hand = await begun(variant, null);
  await playOut(hand);
  expect(hand.session.view()).toMatchObject({ winner: 0 });
  expect(['over', 'hand_over']).toContain(hand.session.view().phase);
  expect(hand.frames).toContain('hand_ended');
  hand.line.stop();
  hand.session.close();
});

it.each(GUIDED)('the guided hand of %s states the rules of its game', async (variant) => {
  const script = await scriptOf(variant);
  const { opening_min, discard_obliges, swapped_joker_kept } = rulesOf(variant);
  if (script?.texts !== 'melds') return expect(script?.values).not.toHaveProperty('kept');
  return expect(script.values).toEqual({
    min: opening_min,
    opening: opening_min > 0 ? 'some' : 'none',
    must: discard_obliges > 0 ? 'yes' : 'no',
    kept: swapped_joker_kept > 0 ? 'yes' : 'no',
  });
});

describe.each(LESSONS)('of %s the lesson %s', (variant, lesson) => {
  it('ends with its last step, in the own turn or with the hand', async () => {
    const hand = await begun(variant, lesson);
    const { steps } = hand.script;
    expect(steps.length).toBeGreaterThanOrEqual(3);
    expect(steps.length).toBeLessThanOrEqual(6);
    await playOut(hand);
    const { phase, to_move, winner } = hand.session.view();
    if (phase === 'play') expect(to_move).toBe(0);
    else {
      expect(['over', 'hand_over']).toContain(phase);
      expect(winner).toBe(['drop', 'cheap'].includes(lesson) ? 1 : 0);
    }
    hand.line.stop();
    hand.session.close();
  });

  it('has a title and its sum', () => {
    expect(english).toHaveProperty([`lesson.${lesson}`]);
    expect(english).toHaveProperty([`lesson.${lesson}.sum`]);
  });
});

describe.each(ALL)('of %s: %s', (variant, lesson) => {
  it('rejects actions outside the step and explains why', async () => {
    const { script, session, guide, line } = await begun(variant, lesson);
    for (const step of script.steps) {
      await vi.advanceTimersByTimeAsync(20);
      const before = session.game.hash();
      const others = session.game.legal(0).moves.filter((move) => !isWanted(move, step.want)) as Move[];
      for (const move of others) {
        guide.astray = false;
        expect(await line.send(move as Command)).toMatchObject({ ok: false });
        expect(guide.astray).toBe(true);
      }
      expect(session.game.hash(), step.say).toBe(before);
      await line.send(step.want as Command);
      expect(guide.astray).toBe(false);
    }
    line.stop();
    session.close();
  });

  it('has a sentence for each step, and marks cards that are held', async () => {
    const { script, session, line } = await begun(variant, lesson);
    for (const step of script.steps) {
      await vi.advanceTimersByTimeAsync(20);
      expect(english).toHaveProperty([`guide.${script.texts}.${step.say}`]);
      expect(session.view().hand).toEqual(expect.arrayContaining([...(step.cards ?? [])]));
      await line.send(step.want as Command);
    }
    line.stop();
    session.close();
  });

  it('wants the groups that the button arranges', async () => {
    const { script, session, line } = await begun(variant, lesson);
    for (const step of script.steps) {
      await vi.advanceTimersByTimeAsync(20);
      const { want } = step;
      if (want.t === 'declare' || want.t === 'group') {
        const found = session.game.legal(0, true).moves.find(({ t }) => t === want.t) as Move | undefined;
        const groups = { t: want.t, d: { groups: want.d.groups } } as Move;
        expect(found && isWanted(found, groups), JSON.stringify(found)).toBe(true);
      }
      await line.send(want as Command);
    }
    line.stop();
    session.close();
  });
});

it('each game is learned in the order of its stages, by lessons that it has', () => {
  for (const variant of GUIDED) {
    const stages = stagesOf(variant);
    expect(stages[0]).toBe('guide');
    expect(stages.at(-1)).toBe('game');
    expect(stages.length).toBeGreaterThanOrEqual(4);
    expect(lessonOf(variant, 'constructor')).toBeNull();
  }
  expect(lessonOf('straight', 'jokers')).toBeNull();
  expect(stagesOf('constructor')).toEqual([]);
});

it('the prices and the minimum are those of the engine', async () => {
  for (const { variant, params } of engine.variants)
    for (const lesson of lessonsOf(variant)) {
      const script = await lessonOf(variant, lesson);
      const { values } = script ?? { values: {} };
      if (lesson === 'opening') expect(values).toMatchObject({ min: params['opening_min'] });
      if (lesson === 'drop')
        expect(values).toMatchObject({ first: params['drop_first'], middle: params['drop_middle'] });
      if (lesson === 'jokers') expect(values).toMatchObject({ points: params['joker_points'] });
    }
});

it('opening takes what the rules of each game say', async () => {
  for (const { variant, params } of engine.variants) {
    const script = await scriptOf(variant);
    if (script?.texts === 'melds') expect(script.values['min'], variant).toBe(params['opening_min']);
  }
});

it('there is a guide for every game, and none for what is none', () => {
  expect([...GUIDED].sort()).toEqual(engine.variants.map(({ variant }) => variant).sort());
  expect(scriptOf('constructor')).toBeNull();
});
