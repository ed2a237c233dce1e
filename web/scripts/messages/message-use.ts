/* Which messages a part of the page's code uses, and which code is loaded before the first page is drawn. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Part } from '../../src/lib/messages/catalog';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));

/** Drawn without a click: first the frame and the sign-in page; then the other pages where most visits begin,
 * and the components that these fetch by themselves. */
const ENTRANCE = [
  'main.ts',
  'pages/Enter.svelte',
  'lib/account/CredentialFields.svelte',
  'lib/account/ProviderButtons.svelte',
];
const FIRST = [
  'pages/Lobby.svelte',
  'pages/Table.svelte',
  'lib/board/ChatPanel.svelte',
  'lib/board/Deadline.svelte',
  'lib/daily/Today.svelte',
  'lib/lobby/OpenTables.svelte',
  'lib/lobby/Sharing.svelte',
  'lib/nav/BottomBar.svelte',
  'lib/nav/Top.svelte',
  'lib/profile/Quests.svelte',
  'lib/puzzles/DailyPanel.svelte',
];

/** Also used by that code, but only in response to an action or in something that the player opens. */
const ANSWERS = ['achievement', 'fair', 'fault', 'keys', 'news', 'problem', 'season'];

/** Needed when nothing more can be fetched. */
const WITHOUT_LINE = ['problem.other', 'problem.unreachable'];

/** The source code of these files of src/. */
export function codeOf(names: string[]): string {
  return names.map((name) => readFileSync(SRC + name, 'utf8')).join('\n');
}

/** Whether this code can use a message: it contains the key or can compose it. */
export function saidIn(code: string): (key: string) => boolean {
  const literals = new Set([...code.matchAll(/['"]([a-z][\w.]*)['"]/g)].map(([, text]) => text));
  /* sayOf('posting', …) can use any key of the family. */
  const families = [...code.matchAll(/sayOf\(\s*'([\w.]+)'/g)].map(([, family]) => `${family}\\.[\\w.]+`);
  /* `title.${…}` matches any key with one more part, `${doing}.private` any key that ends with it. */
  const made = [...code.matchAll(/`((?:[a-z_]+|\$\{[^`]+?\})(?:\.(?:[a-z_]+|\$\{[^`]+?\}))+)`/g)]
    .map(([, parts = '']) => parts.replaceAll(/\$\{.*?\}(?=\.|$)/g, '*'))
    .filter((parts) => parts.includes('*') && /[a-z]/.test(parts))
    .map((parts) => parts.replaceAll('.', '\\.').replace(/^\*/, '[\\w.]+').replaceAll('*', '\\w+'));
  const built = new RegExp(`^(?:${[...families, ...made].join('|')})$`);
  return (key) => literals.has(key) || built.test(key);
}

/** The file below src/ to which an import resolves; null if it is in a package or another folder, or made
 * by a plugin. */
function fileOf(name: string, importer: string): string | null {
  if (!/^(\.|\$lib\/)/.test(name)) return null;
  const path = name.startsWith('$lib/')
    ? join(SRC, name.replace('$lib', 'lib'))
    : resolve(dirname(importer), name);
  const file = [path, `${path}.ts`, `${path}.svelte.ts`, `${path}/index.ts`].find(
    (one) => /\.(ts|svelte)$/.test(one) && existsSync(one),
  );
  return file?.startsWith(SRC) ? file : null;
}

/** These files of src/ and all that they import when they are loaded. */
export function reached(roots: string[]): string[] {
  const files = new Set<string>();
  const open = roots.map((name) => join(SRC, name));
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (files.has(file)) continue;
    files.add(file);
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(
      /^\s*(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm,
    )) {
      const next = fileOf(name, file);
      if (next !== null) open.push(next);
    }
  }
  return [...files].map((file) => file.slice(SRC.length));
}

export const PARTS: readonly Part[] = ['entrance', 'first', 'later'];

/** Used only by the server (scripts/heads), never by the page. */
export const isOfHeads = (key: string): boolean => key.startsWith('head.');

/** The part that contains this message, or null. Messages in `entrance` and `first` can be needed before
 * the first click. */
export function partOf(): (key: string) => Part | null {
  const atEntrance = saidIn(codeOf(reached(ENTRANCE)));
  const inside = saidIn(codeOf(reached([...ENTRANCE, ...FIRST])));
  const isAnswer = (key: string) => ANSWERS.some((family) => key.startsWith(`${family}.`));
  return (key) => {
    if (isOfHeads(key)) return null;
    if (WITHOUT_LINE.includes(key)) return 'entrance';
    if (isAnswer(key)) return 'later';
    return atEntrance(key) ? 'entrance' : inside(key) ? 'first' : 'later';
  };
}
