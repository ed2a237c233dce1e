import { fileURLToPath } from 'node:url';
import type { Rollup } from 'vite';
import { expect, it } from 'vitest';
import { tagsOf } from './preload';

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));

function chunk(
  fileName: string,
  facade: string,
  rest: Partial<Rollup.OutputChunk> & { css?: string[] } = {},
) {
  const { css = [], ...more } = rest;
  const made = {
    type: 'chunk',
    fileName,
    isEntry: false,
    facadeModuleId: at(facade),
    moduleIds: [at(facade)],
  };
  return { ...made, imports: [], viteMetadata: { importedCss: new Set(css) }, ...more };
}

function bundleOf(...chunks: { fileName: string }[]): Rollup.OutputBundle {
  return Object.fromEntries(chunks.map((one) => [one.fileName, one])) as unknown as Rollup.OutputBundle;
}

const FIRST = chunk('first.js', 'src/preload.ts');
const MAIN = chunk('index.js', 'index.html', { isEntry: true, imports: ['shared.js'] });
const OPERATORS = chunk('admin.js', 'admin/index.html', { isEntry: true, imports: ['cards.js'] });
const SHARED = chunk('shared.js', 'src/app.css', { css: ['shared.css'] });
const CARDS = chunk('cards.js', 'src/lib/cards/CardFace.svelte', {
  css: ['cards.css'],
  imports: ['shared.js'],
});
const TABLE = chunk('Table.js', 'src/pages/Table.svelte', {
  css: ['Table.css'],
  imports: ['shared.js', 'cards.js'],
});

it('names for a page what it needs besides that which every page has', () => {
  const [meta, script] = tagsOf(bundleOf(FIRST, OPERATORS, MAIN, SHARED, CARDS, TABLE));
  expect(meta?.attrs).toEqual({
    name: 'files-of-table',
    content: '/Table.js /Table.css /cards.js /cards.css',
  });
  expect(script?.attrs).toMatchObject({ type: 'module', async: true, src: '/first.js' });
});

it('says nothing of a page that is not built, nor without the first script', () => {
  expect(tagsOf(bundleOf(FIRST, MAIN, SHARED)).map(({ tag }) => tag)).toEqual(['script']);
  expect(tagsOf(bundleOf(MAIN, SHARED, CARDS, TABLE))).toEqual([]);
});
