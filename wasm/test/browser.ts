/* Runs the vectors in a browser: tests/e2e/screens/engine.spec.mjs opens a page with this bundle and passes
 * it the files. */
import { Module } from '../src/module.js';

export interface Vector {
  title: string;
  wrong: string;
}

export async function vectors(module: string, texts: readonly string[]): Promise<Vector[]> {
  const asked = await Module.load(module);
  return texts.flatMap((text) => {
    const input = new TextEncoder().encode(text);
    return asked.call<{ vectors: Vector[] }>('vectors', input, input.length).vectors;
  });
}
