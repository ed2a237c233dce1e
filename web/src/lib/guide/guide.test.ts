/* Every guided hand is played to its end by the moves that its steps ask for, and by nothing else. */
import { load, type Engine, type Move } from '@rummyd/engine';
import type { Command } from '@rummyd/client';
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LocalLine } from '$lib/local/line';
import { LocalSession } from '$lib/local/session';
import english from '$lib/messages/en.json';
import { Guide } from './guide.svelte';
import { isWanted } from './script';
import { GUIDED, scriptOf } from './scripts';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});
beforeEach(() => {
  vi.useFakeTimers();
});

describe.each(GUIDED)('the guided hand of %s', (variant) => {
  async function begun() {
    const script = await scriptOf(variant);
    if (!script) throw new Error('no script');
    const setting = { variant, names: ['You', 'Ada'], me: 0, level: 'easy', tableId: '1' } as const;
    const session = LocalSession.from(engine, setting, script.record);
    const guide = new Guide(script);
    const frames: string[] = [];
    const end = { frame: (frame: { t: string }) => void frames.push(frame.t), status: () => undefined };
    const line = new LocalLine(session, { thinkMs: 1, lead: guide }, end);
    line.start();
    await vi.advanceTimersByTimeAsync(1);
    return { script, session, guide, line, frames };
  }

  it('is won by what its steps ask for', async () => {
    const { script, session, guide, line, frames } = await begun();
    for (const step of script.steps) {
      await vi.advanceTimersByTimeAsync(20);
      expect(guide.step).toBe(step);
      expect(await line.send(step.want as Command), step.say).toMatchObject({ ok: true });
    }
    expect(guide.step).toBeNull();
    await vi.advanceTimersByTimeAsync(20);
    expect(session.view()).toMatchObject({ winner: 0 });
    expect(['over', 'hand_over']).toContain(session.view().phase);
    expect(frames).toContain('hand_ended');
    line.stop();
    session.close();
  });

  it('holds back what a step does not ask for, and says so', async () => {
    const { script, session, guide, line } = await begun();
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
    const { script, session, line } = await begun();
    for (const step of script.steps) {
      await vi.advanceTimersByTimeAsync(20);
      expect(english).toHaveProperty([`guide.${script.texts}.${step.say}`]);
      expect(session.view().hand).toEqual(expect.arrayContaining([...(step.cards ?? [])]));
      await line.send(step.want as Command);
    }
    line.stop();
    session.close();
  });
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
