/* Puts src/preload.ts into index.html as a separate script before the others, because it is small and requests the language while
 * they are loading. Vite would bundle it with src/main.ts. A <meta> for each page that most visits begin with lists the other
 * files that the page needs, and the script requests those of one page. */
import { fileURLToPath } from 'node:url';
import type { HtmlTagDescriptor, Plugin, Rollup } from 'vite';

const at = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));
const FIRST = at('preload.ts');
const PAGES = {
  enter: at('pages/Enter.svelte'),
  lobby: at('pages/Lobby.svelte'),
  table: at('pages/Table.svelte'),
};

type Chunk = Rollup.OutputChunk;

/** A chunk and everything that it imports, both scripts and styles. */
function filesOf(bundle: Rollup.OutputBundle, chunk: Chunk, files = new Set<string>()): Set<string> {
  if (files.has(chunk.fileName)) return files;
  files.add(chunk.fileName);
  for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style);
  for (const name of chunk.imports) {
    const next = bundle[name];
    if (next?.type === 'chunk') filesOf(bundle, next, files);
  }
  return files;
}

/** The tags for the head of index.html. */
export function tagsOf(bundle: Rollup.OutputBundle): HtmlTagDescriptor[] {
  const chunks = Object.values(bundle).filter((one): one is Chunk => one.type === 'chunk');
  const first = chunks.find((one) => one.facadeModuleId === FIRST);
  const main = chunks.find((one) => one.isEntry && /(?<!admin)\/index\.html$/.test(one.facadeModuleId ?? ''));
  if (!first || !main) return [];
  const there = filesOf(bundle, main);
  const metas = Object.entries(PAGES).flatMap(([page, id]) => {
    const chunk = chunks.find((one) => one.moduleIds.includes(id));
    if (!chunk) return [];
    const files = [...filesOf(bundle, chunk)].filter((name) => !there.has(name));
    const attrs = { name: `files-of-${page}`, content: files.map((name) => `/${name}`).join(' ') };
    return [{ tag: 'meta', attrs, injectTo: 'head-prepend' as const }];
  });
  const attrs = { type: 'module', async: true, crossorigin: true, src: `/${first.fileName}` };
  return [...metas, { tag: 'script', attrs, injectTo: 'head-prepend' }];
}

export function first(): Plugin {
  return {
    name: 'rummyd-first',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: FIRST, name: 'first' });
    },
    transformIndexHtml: {
      order: 'post',
      handler: (_html, { bundle, path }) => (bundle && path === '/index.html' ? tagsOf(bundle) : []),
    },
  };
}
