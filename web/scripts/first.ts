/* src/first.ts as a script of its own in index.html, before the others: it is small, and asks for the language while those
 * are on their way. Vite would make one of it with src/main.ts. */
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const FIRST = fileURLToPath(new URL('../src/first.ts', import.meta.url));

export function first(): Plugin {
  return {
    name: 'rummyd-first',
    apply: 'build',
    buildStart() {
      this.emitFile({ type: 'chunk', id: FIRST, name: 'first' });
    },
    transformIndexHtml: {
      order: 'post',
      handler(_html, { bundle, path }) {
        const made = Object.values(bundle ?? {}).find(
          (one) => one.type === 'chunk' && one.facadeModuleId === FIRST,
        );
        if (!made || path !== '/index.html') return [];
        const attrs = { type: 'module', crossorigin: true, src: `/${made.fileName}` };
        return [{ tag: 'script', attrs, injectTo: 'head-prepend' }];
      },
    },
  };
}
