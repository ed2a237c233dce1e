/* Every message is said somewhere: its key stands in the page's code, or a key that the code puts together can be it. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { written } from './files';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const code = (readdirSync(SRC, { recursive: true }) as string[])
  .filter((name) => /(?<!\.test)\.(?:ts|svelte)$/.test(name) && !name.startsWith('admin/'))
  .map((name) => readFileSync(SRC + name, 'utf8'))
  .join('\n');

const literals = new Set([...code.matchAll(/['"]([a-z][\w.]*)['"]/g)].map(([, text]) => text));
/* sayOf('posting', …) says any key of the family. */
const families = [...code.matchAll(/sayOf\(\s*'([\w.]+)'/g)].map(([, family]) => `${family}\\.[\\w.]+`);
/* `title.${…}` any with one more part; `${doing}.private` any with this end. */
const made = [...code.matchAll(/`((?:[a-z_]+|\$\{[^`]+?\})(?:\.(?:[a-z_]+|\$\{[^`]+?\}))+)`/g)]
  .map(([, parts = '']) => parts.replaceAll(/\$\{.*?\}(?=\.|$)/g, '*'))
  .filter((parts) => parts.includes('*') && /[a-z]/.test(parts))
  .map((parts) => parts.replaceAll('.', '\\.').replace(/^\*/, '[\\w.]+').replaceAll('*', '\\w+'));
const built = new RegExp(`^(?:${[...families, ...made].join('|')})$`);

const unused = (keys: string[]) => keys.filter((key) => !literals.has(key) && !built.test(key));

it('says every message somewhere', () => {
  expect(unused(Object.keys(written('en')))).toEqual([]);
});

it('would see one that is not', () => {
  expect(unused(['nav.games', 'title.ant', 'nav.nowhere', 'title.ant.old', 'nothing'])).toEqual([
    'nav.nowhere',
    'title.ant.old',
    'nothing',
  ]);
});
