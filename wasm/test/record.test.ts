/* The module parses, plays, and verifies records from the program with the same result, and bots with the
 * same dice play the same game. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EngineError, type Engine, type Game, type Level } from '../src/node.js';
import { rummyd, theEngine } from './common.js';

const SEED = 7;
const NAMES = ['Ana', 'Boris', 'Ceca', 'Dule', 'Ema', 'Filip'];
const LEVELS: Level[] = ['strong', 'medium', 'easy'];
const VARIANTS = [
  'rummy51',
  'straight',
  'treff',
  'rummy40',
  'rami',
  'points',
  'pool101',
  'pool201',
  'deals2',
  'deals3',
];

let folder: string;
let engine: Engine;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'rummyd-'));
  engine = await theEngine();
});
afterAll(() => rm(folder, { recursive: true }));

async function simulated(variant: string): Promise<string> {
  const file = join(folder, `${variant}.txt`);
  const flags = ['--games=1', `--seats=${LEVELS.join(',')}`, `--seed=${SEED}`, `--record=${file}`];
  await rummyd('simulate', `--variant=${variant}`, ...flags);
  return readFile(file, 'utf8');
}

/** Records that `rummyd simulate` writes. */
function seedOf(hand: number): string {
  const words = new DataView(new ArrayBuffer(32));
  words.setBigUint64(0, BigInt(SEED), true);
  words.setBigUint64(16, BigInt(hand), true);
  return Buffer.from(words.buffer).toString('hex');
}

function playHand(game: Game): void {
  for (let view = game.view(); view.phase !== 'hand_over' && view.phase !== 'over'; view = game.view()) {
    const seat = view.to_move ?? (view.to_group[0] as number);
    game.apply(seat, game.botMove(seat, LEVELS[seat] as Level));
  }
}

function rejoin(game: Game): void {
  for (let seat = 0; seat < game.players && game.view().phase === 'hand_over'; seat++)
    if (game.botRejoins(seat, LEVELS[seat] as Level)) game.apply(seat, { t: 'rejoin', d: {} });
  if (game.view().phase === 'hand_over' && !game.view().may_deal) game.apply(0, { t: 'close' });
}

/** The session of `rummyd simulate`, played by the bots of the module. */
function played(variant: string): string {
  const game = engine.newGame({ variant, players: LEVELS.length });
  const people = LEVELS.map((level, seat) => ({ name: NAMES[seat] as string, level }));
  const records: string[] = [];
  for (let seat = 0; seat < game.players; seat++) game.botDice(seat, BigInt(SEED ^ seat));
  for (let hand = 0; game.view().phase !== 'over'; hand++) {
    game.deal({ server_seed: seedOf(hand) });
    playHand(game);
    records.push(game.record(people));
    rejoin(game);
  }
  game.close();
  return records.join('\n');
}

describe.each(VARIANTS)('a session of %s', (variant) => {
  it('equals the one that the program plays, record by record', async () => {
    const text = await simulated(variant);
    expect(played(variant)).toBe(text);
    expect(engine.record.print(text)).toBe(text);
    const hands = engine.record.parse(text);
    expect(engine.verify(text)).toEqual(
      hands.map(({ hand_no, steps }) => ({ hand_no, moves: steps.length, verdict: 'ok' })),
    );
    for (const [number, hand] of hands.entries()) {
      const replay = engine.record.replay(text, number);
      expect(replay.game.view().hands).toEqual(hand.seats.map(({ cards }) => cards));
      let events = 0;
      for (let done = replay.step(); done; done = replay.step()) {
        events += done.events.length;
        const drew = done.events.find(({ t }) => t === 'drew');
        if (drew?.t === 'drew') expect(drew.d.card).toBe(done.step.card);
      }
      const view = replay.game.view();
      expect(events).toBeGreaterThan(hand.steps.length);
      expect(view.winner).toBe(hand.result?.winner);
      const end = replay.game.hash();
      replay.seek(3);
      replay.seek(hand.steps.length);
      expect(replay.game.hash()).toBe(end);
      replay.close();
    }
  });
});

const PLAYED = ['draw', 'play', 'group'];

describe('a deal played by others', () => {
  it.each(VARIANTS)('gets a separate record: each hand of %s', async (variant) => {
    const text = await simulated(variant);
    const people = NAMES.map((_, seat) => ({
      name: `Z${seat}`,
      ...(seat > 0 && { level: 'easy' as const }),
    }));
    for (const [number, hand] of engine.record.parse(text).entries()) {
      const replay = engine.record.replay(text, number);
      const game = replay.game.copy();
      for (let view = game.view(); PLAYED.includes(view.phase); view = game.view()) {
        const seat = view.to_move ?? (view.to_group[0] as number);
        game.apply(seat, game.botMove(seat, 'easy'));
      }
      const [other] = engine.record.parse(engine.record.anew(text, number, game, people));
      expect(other?.seats.map(({ cards, name, kind }) => ({ cards, name, kind }))).toEqual(
        hand.seats.map(({ cards }, seat) => ({
          cards,
          name: `Z${seat}`,
          kind: seat > 0 ? 'bot easy' : 'person',
        })),
      );
      expect([other?.commit, other?.totals, other?.start]).toEqual([hand.commit, hand.totals, null]);
      expect(other?.result?.winner).toBe(game.view().winner);
      expect(engine.verify(engine.record.anew(text, number, game, people))[0]?.verdict).toBe('ok');
      game.close();
      replay.close();
    }
  });
  it('is refused if the hand begins with a position', async () => {
    const text = (await simulated('rummy51')).replace('[Starter', '[Setup "yes"]\n[Starter');
    const game = engine.deal({ variant: 'rummy51', players: LEVELS.length }, { server_seed: seedOf(0) }).game;
    expect(() => engine.record.anew(text, 0, game, [])).toThrow(EngineError);
    game.close();
  });
});

describe('a wrong record', () => {
  it('is detected at the same place as by the program', async () => {
    const good = await simulated('pool101');
    const wrong = [
      good.replace(/^\[ServerSeed "(..)/m, (all, byte) => all.replace(byte, byte === '00' ? '01' : '00')),
      good.replace(/^\[Cards0 "(\w+)/m, (all, card) => all.replace(card, card === 'AC1' ? 'AC2' : 'AC1')),
      good.replace(/ points \d+/, ' points 99'),
      good.replace(/\[Totals "\d+/, '[Totals "5'),
    ];
    for (const [number, text] of wrong.entries()) {
      expect(text).not.toBe(good);
      const file = join(folder, `wrong-${number}.txt`);
      await writeFile(file, text);
      const native = await rummyd('verify', file).catch(
        (error: { stdout: string; stderr: string }) => error.stderr,
      );
      const bad = engine.verify(text).find(({ verdict }) => verdict !== 'ok');
      expect(bad?.verdict).toMatch(/^wrong_/);
      expect(native).toContain(bad?.verdict);
      expect(native.replaceAll('\n', ' ')).toContain(bad?.text);
    }
  });

  it('that cannot be parsed reports the line', () => {
    expect(() => engine.record.parse('[Rummyd "1"]\n[Variant "whist"]\n')).toThrow(EngineError);
    try {
      engine.record.parse('[Rummyd "1"]\n[Variant "whist"]\n');
    } catch (error) {
      expect(error).toMatchObject({ code: 'bad_record', line: 2 });
    }
    expect(() => engine.record.parse('')).toThrow(/no record/);
  });
});
