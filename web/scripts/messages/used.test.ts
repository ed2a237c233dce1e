/* Every message is used: the page's code contains its key or can compose it. scripts/heads/heads.test.ts
 * checks the messages of heads. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { written } from './files';
import { codeOf, isOfHeads, saidIn } from './message-use';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const names = (readdirSync(SRC, { recursive: true }) as string[]).filter(
  (name) => /(?<!\.test)\.(?:ts|svelte)$/.test(name) && !name.startsWith('admin/'),
);
const said = saidIn(codeOf(names));

const unused = (keys: string[]) => keys.filter((key) => !said(key));

it('says every message somewhere', () => {
  expect(unused(Object.keys(written('en')).filter((key) => !isOfHeads(key)))).toEqual([]);
});

it('would see one that is not', () => {
  expect(unused(['nav.games', 'title.ant', 'nav.nowhere', 'title.ant.old', 'unsaid'])).toEqual([
    'nav.nowhere',
    'title.ant.old',
    'unsaid',
  ]);
});
