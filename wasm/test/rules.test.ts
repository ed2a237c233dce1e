/* Vectors and signatures show that the rules are the same as in the program. */
import { readdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { asked, path, rummyd, text } from './common.js';

interface Vector {
  title: string;
  line: number;
  column: number;
  wrong: string;
}

const line = ({ title, wrong }: Vector) => `${wrong === '' ? 'ok   ' : 'FAIL '} ${title}`;

describe('the rules', () => {
  it('pass every vector, as in the program', async () => {
    const module = await asked();
    const files = (await readdir(path('tests/vectors'))).filter((name) => name.endsWith('.txt')).sort();
    const told: string[] = [];
    for (const file of files) {
      const input = new TextEncoder().encode(await text(`tests/vectors/${file}`));
      told.push(...module.call<{ vectors: Vector[] }>('vectors', input, input.length).vectors.map(line));
    }
    const native = (await rummyd('vectors', ...files.map((name) => `tests/vectors/${name}`)))
      .trimEnd()
      .split('\n');
    expect(native.pop()).toBe(`${told.length} passed, 0 failed`);
    expect(told).toEqual(native);
    expect(told.length).toBeGreaterThan(500);
  });

  it('fail an incorrect vector and report its line', async () => {
    const module = await asked();
    const vectors = await text('tests/vectors/rummy51.txt');
    const input = new TextEncoder().encode(vectors.replace(/^refused \w+/m, 'refused bad_move'));
    const wrong = module
      .call<{ vectors: Vector[] }>('vectors', input, input.length)
      .vectors.filter((v) => v.wrong);
    expect(wrong.length).toBe(1);
    expect(wrong[0]?.line).toBeGreaterThan(1);
  });

  it('have the pinned signatures', async () => {
    const module = await asked();
    const pinned = [
      ...(await text('tests/engine/signatures.def')).matchAll(/^SIGNATURE\("(\w+)", 0x(\w{16})\)$/gm),
    ];
    expect(pinned.length).toBe(10);
    for (const [number, [, variant, signature]] of pinned.entries())
      expect(module.call('signature', null, number)).toEqual({ variant, signature });
    expect(module.call('signature', null, pinned.length)).toEqual({});
  });
});
