/* Parts of the page that fail to load, and a check that every dynamic import handles failure. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { Parts } from './parts.svelte';

const soon = () => new Promise((done) => setTimeout(done));

it('waits for the player to try again, for all that failed', async () => {
  const parts = new Parts(async () => 'nothing');
  let connected = false;
  const load = vi.fn(async () => {
    if (!connected) throw new TypeError('Failed to fetch dynamically imported module');
    return 'here';
  });
  const got: string[] = [];
  const waiting = [parts.part(load), parts.part(load)].map((one) => one.then((it) => got.push(it)));
  await soon();
  expect([parts.state, got, load.mock.calls.length]).toEqual(['failed', [], 2]);
  parts.retry();
  await soon();
  expect([parts.state, got, load.mock.calls.length]).toEqual(['failed', [], 4]);
  connected = true;
  parts.retry();
  await Promise.all(waiting);
  expect([parts.state, got, load.mock.calls.length]).toEqual(['fine', ['here', 'here'], 6]);
});

it('offers only a reload when a second try fails although the server answers', async () => {
  const parts = new Parts(async () => 'same');
  void parts.part(() => Promise.reject(new TypeError('kept by the browser')));
  await soon();
  expect(parts.state).toBe('failed');
  parts.retry();
  await soon();
  expect(parts.state).toBe('kept');
});

it('offers only a reload when the server has a newer page', async () => {
  const parts = new Parts(async () => 'newer');
  void parts.part(() => Promise.reject(new TypeError('404')));
  await soon();
  expect(parts.state).toBe('updated');
});

it('shows nothing when all arrives', async () => {
  const parts = new Parts(async () => 'newer');
  expect(await parts.part(async () => 7)).toBe(7);
  expect(parts.state).toBe('fine');
});

it('offers a reload when what is retried elsewhere cannot come', async () => {
  const states: string[] = [];
  for (const served of ['newer', 'same', 'nothing'] as const) {
    const parts = new Parts(async () => served);
    for (const again of [false, true]) {
      parts.lost(again);
      await soon();
      states.push(parts.state);
    }
  }
  expect(states).toEqual(['updated', 'updated', 'fine', 'kept', 'fine', 'fine']);
});

/** The source files, without comments and types. */
function* sources(): Generator<[string, string]> {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).map((file) =>
    file.replaceAll('\\', '/'),
  );
  for (const file of files.filter((name) => /\.(svelte|ts)$/.test(name) && !name.endsWith('.test.ts')))
    yield [
      file,
      readFileSync(join('src', file), 'utf8').replaceAll(/\/\*[\s\S]*?\*\/|\btypeof import\(/g, ''),
    ];
}

it('hears of every worker that does not load, or that fails to load what it needs', () => {
  const found: [string, boolean][] = [];
  for (const [file, text] of sources()) {
    if (/\bnew Worker\(new URL/.test(text)) found.push([file, /onerror = [^}]*parts\.lost\(\)/.test(text)]);
    if (file.endsWith('.worker.ts')) found.push([file, /^reportRejections\(\);$/m.test(text)]);
  }
  expect(found.length).toBe(6);
  expect(found.filter(([, ok]) => !ok)).toEqual([]);
});

/** Files with plain dynamic imports, and what handles a failure of each. */
const COPES: Record<string, string> = {
  'main.ts': 'the page works without its worker',
  'pages/routes.ts': 'pages.svelte.ts shows Unloaded.svelte',
  'lib/messages/catalogs.ts': 'language.svelte.ts and prefs.svelte.ts call part()',
  'lib/engine/engine.ts': 'its callers show the error or call part()',
  'lib/rulebook/RulesDialog.svelte': 'has its own buttons, in the dialog',
  'lib/guide/scripts/index.ts': 'Learn.svelte calls part()',
  'lib/guide/lessons/index.ts': 'Learn.svelte calls part()',
};

it('is what fetches every part', () => {
  const bare: string[] = [];
  for (const [file, text] of sources()) {
    const imports = [...text.matchAll(/\bimport\(/g)].length;
    const caught = [...text.matchAll(/\b(?:part\(|load=\{)\s*(?:async )?\(\) =>\s*(?:\(await )?import\(/g)]
      .length;
    if (imports > caught && !Object.hasOwn(COPES, file)) bare.push(file);
  }
  expect(bare).toEqual([]);
});
