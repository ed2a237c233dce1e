/* Passes any bytes and numbers to every export: the module returns a result or a named error, nothing
 * traps, and no other game changes. */
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { EngineError, EngineFault, WASM_URL, load } from '../src/node.js';
import { Module } from '../src/module.js';
import { dice, theEngine } from './common.js';

const ROUNDS = 25_000;
const SEED = Uint8Array.from({ length: 41 }, (_, i) => (i < 40 ? i : 0));

/** Input for two players, without moves. */
const PEOPLE = [0, 1, 65, 3, 1, 66];

async function recordOf(variant: string): Promise<string> {
  const { game } = (await theEngine()).deal({ variant, players: 2 }, { server_seed: '51'.repeat(32) });
  for (let view = game.view(); view.to_move !== null || view.to_group.length > 0; view = game.view()) {
    const seat = view.to_move ?? (view.to_group[0] as number);
    game.apply(seat, game.botMove(seat, 'easy'));
  }
  const record = game.record([{ name: 'Ana' }, { name: 'Бранко', level: 'easy' }]);
  game.close();
  return record;
}

/** The number of arguments of each export, and valid input for it. */
async function exports(): Promise<[string, number, Uint8Array[]][]> {
  const utf8 = (said: string) => new TextEncoder().encode(said);
  const records = await Promise.all(
    ['points', 'rummy51', 'straight'].map(async (variant) => utf8(await recordOf(variant))),
  );
  const rows = [
    'rummy51',
    'points +wild_scope=exact',
    'pool101 target=80',
    'straight +ace=high',
    'treff jokers=5',
  ].map(utf8);
  const hands = ['points\x007D1 AH1 2H1 3H1 4S1', 'rummy51\x00- TH1 JH1 QH1 X1 X2 X3 X4'].map(utf8);
  const moves = [1, 1, 1, 2, 4, 8, 13, 14, 17].map((type, seat) => {
    const bytes = new Uint8Array(24);
    bytes.set([type, seat % 2, 255]);
    return bytes;
  });
  return [
    ['new_game', 2, rows],
    ['copy_game', 1, []],
    ['close_game', 1, []],
    ['deal', 3, [Uint8Array.from([...SEED, 0]), Uint8Array.from([...SEED, 0, 0])]],
    ['hands', 5, rows.map((row) => Uint8Array.from([...row, 0, ...SEED, 0]))],
    ['commit', 1, [SEED.slice(0, 32)]],
    ['view', 2, []],
    ['hash', 1, []],
    ['legal', 3, []],
    ['apply', 3, moves],
    ['bot_dice', 4, []],
    ['bot_move', 3, []],
    ['bot_rejoins', 3, []],
    ['opening', 2, []],
    ['arrange', 1, hands],
    ['record_parse', 2, records],
    ['record_start', 2, records],
    ['record_verify', 1, records],
    ['record_print', 2, records],
    ['record_make', 2, [Uint8Array.from(PEOPLE), Uint8Array.from([0, 0, 0, 0, ...(moves[0] as Uint8Array)])]],
    ['record_anew', 3, records.map((record) => Uint8Array.from([...record, ...PEOPLE]))],
    ['words', 0, []],
  ];
}

/** Random input: often the valid input with a few bytes changed, otherwise random bytes. */
function spoiled(good: Uint8Array[], roll: () => number): Uint8Array {
  const chosen = good[Math.floor(roll() * good.length)];
  if (!chosen || roll() < 0.2)
    return Uint8Array.from({ length: Math.floor(roll() * 80) }, () => roll() * 256);
  const bytes = Uint8Array.from(chosen);
  const changes = Math.floor(roll() * roll() * 6);
  for (let i = 0; i < changes; i++) bytes[Math.floor(roll() * bytes.length)] = roll() * 256;
  return roll() < 0.1 ? bytes.slice(0, Math.floor(roll() * bytes.length)) : bytes;
}

function number(roll: () => number): number {
  if (roll() < 0.8) return Math.floor(roll() * 3);
  return [254, 255, 256, 4 << 20, (4 << 20) + 1, 2 ** 31, 2 ** 32 - 1, -1][Math.floor(roll() * 8)] as number;
}

describe('hostile input', () => {
  it('gets a result or a named error from every export', async () => {
    const module = await Module.load(await readFile(WASM_URL));
    const all = await exports();
    const named = WebAssembly.Module.exports(
      await WebAssembly.compile(new Uint8Array(await readFile(WASM_URL))),
    )
      .map(({ name }) => name)
      .filter((name) => !['memory', '__wasm_call_ctors', 'input', 'input_max', 'output'].includes(name));
    expect(all.map(([name]) => name).sort()).toEqual(named.sort());
    const roll = dice(51);
    const answers = new Map<string, number>();
    const codes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const [name, arity, good] = all[Math.floor(roll() * all.length)] as [string, number, Uint8Array[]];
      if (name === 'close_game' && roll() < 0.8) continue; // so that games usually exist
      const input = spoiled(good, roll);
      const numbers = Array.from({ length: arity }, () => number(roll));
      const takesLength = good.length > 0 && roll() < 0.95;
      const games = ['deal', 'apply', 'record_make'].includes(name);
      if (takesLength) numbers[games ? 1 : 0] = input.length;
      if (name.startsWith('record_') && !games && arity === 2 && roll() < 0.9) numbers[1] = 0;
      if (name === 'record_anew' && roll() < 0.9) numbers.splice(1, 2, 0, input.length - PEOPLE.length);
      try {
        module.call(name, input, ...numbers);
        answers.set(name, (answers.get(name) ?? 0) + 1);
      } catch (error) {
        if (!(error instanceof EngineError))
          throw new Error(`${name}(${numbers}) of ${input}`, { cause: error });
        codes.add(error.code);
      }
    }
    for (const [name] of all) expect(answers.get(name) ?? 0, name).toBeGreaterThan(5);
    for (const code of [
      'no_such_game',
      'no_such_seat',
      'bad_seed',
      'bad_record',
      'bad_params',
      'bad_cards',
      'bad_move',
      'too_long',
    ])
      expect(codes).toContain(code);
  });

  it('does not change other games', async () => {
    const engine = await load();
    const { game } = engine.deal({ variant: 'rummy51', players: 3 }, { server_seed: 'ab'.repeat(32) });
    const before = game.hash();
    const roll = dice(7);
    const other = game.copy();
    for (let i = 0; i < 2000; i++) {
      const bytes = Array.from({ length: 14 }, () => engine.variants.length && Math.floor(roll() * 110));
      const d = {
        cards: bytes
          .slice(0, 1 + Math.floor(roll() * 13))
          .map((n) => `${'A23456789TJQK'[n % 13]}${'CSHD'[n % 4]}${1 + (n % 2)}`),
      };
      try {
        other.apply(Math.floor(roll() * 4), { t: roll() < 0.5 ? 'meld' : 'discard', d });
      } catch (error) {
        expect(error).toBeInstanceOf(EngineError);
      }
    }
    expect(game.hash()).toBe(before);
  });

  it('that exceeds the buffer is refused', async () => {
    const engine = await load();
    expect(() => engine.record.parse('x'.repeat((4 << 20) + 1))).toThrow(EngineError);
    expect(() => engine.record.parse('x'.repeat(4 << 20))).toThrow(/line 1|expected/i);
  });

  it('does not reach an engine that has stopped', async () => {
    const module = await Module.load(await readFile(WASM_URL));
    expect(() => module.call('no_such_export', null)).toThrow(EngineFault);
    expect(() => module.call('words', null)).toThrow(EngineFault);
  });
});
