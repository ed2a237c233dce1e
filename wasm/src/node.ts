/* The same as index.ts for Node.js, whose fetch does not read files. */
import { readFile } from 'node:fs/promises';
import { load as loadFrom, WASM_URL, type Engine, type Source } from './index.js';

export * from './index.js';

export async function load(source?: Source): Promise<Engine> {
  return loadFrom(source ?? (await readFile(WASM_URL)));
}
