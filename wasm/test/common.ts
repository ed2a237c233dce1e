/* Shared by the tests: the engine, the module with its test exports, and the program. */
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { load, type Engine } from '../src/node.js';
import { Module } from '../src/module.js';

const root = new URL('../../', import.meta.url);
export const path = (name: string) => fileURLToPath(new URL(name, root));
export const text = (name: string) => readFile(path(name), 'utf8');

let engine: Promise<Engine> | undefined;
export const theEngine = () => (engine ??= load());

export async function asked(): Promise<Module> {
  return Module.load(await readFile(path('build-wasm/asked.wasm')));
}

/** Output of `rummyd`, regardless of its exit status. */
export async function rummyd(...args: string[]): Promise<string> {
  const program = `${process.env['RUMMY_BUILD'] ?? 'build'}/rummyd`;
  const { stdout } = await promisify(execFile)(program, args, {
    cwd: fileURLToPath(root),
    maxBuffer: 1 << 26,
  });
  return stdout;
}

/** Random numbers that are the same in each run. */
export function dice(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
