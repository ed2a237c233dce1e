/* Makes /sw.js at a build: src/worker/sw.js with the list of the files that the page needs without a line, and a version
 * that changes with them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rollup } from 'vite';
import { LOCALES } from '../../src/lib/messages/locales';

const WORKER = fileURLToPath(new URL('../../src/worker/sw.js', import.meta.url));
const PAGE = 'index.html';
/** What a language that is not spoken needs; the spoken one is kept when it is heard. */
const SPOKEN_BY_ALL = 'en';

type Bundle = Rollup.OutputBundle;

/** Of all that can be reached from the players' page: scripts, styles and the engine, but other languages and fonts. */
export function filesOf(bundle: Bundle): string[] {
  const others = Object.keys(LOCALES).filter((tag) => tag !== SPOKEN_BY_ALL);
  const isOther = (name: string) => others.some((tag) => name.startsWith(`assets/${tag}-`));
  const files = new Set<string>();
  const visit = (name: string) => {
    if (files.has(name) || isOther(name)) return;
    files.add(name);
    const chunk = bundle[name];
    if (chunk?.type !== 'chunk') return;
    const { importedCss, importedAssets } = chunk.viteMetadata ?? {};
    for (const next of [
      ...chunk.imports,
      ...chunk.dynamicImports,
      ...(importedCss ?? []),
      ...(importedAssets ?? []),
    ])
      visit(next);
  };
  const entry = Object.values(bundle).find(
    (one) =>
      one.type === 'chunk' &&
      one.isEntry &&
      one.facadeModuleId?.endsWith(PAGE) &&
      !one.facadeModuleId.includes('/admin/'),
  );
  if (!entry) throw new Error(`no chunk of ${PAGE}`);
  visit(entry.fileName);
  return [...files].filter((name) => !name.endsWith('.woff2')).sort();
}

export function worker(): Plugin {
  return {
    name: 'rummyd-worker',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const files = [
          '/',
          '/icon.svg',
          '/manifest.webmanifest',
          ...filesOf(bundle).map((name) => `/${name}`),
        ];
        const page = bundle[PAGE];
        const hash = createHash('sha256').update(files.join('\n'));
        if (page?.type === 'asset') hash.update(page.source);
        const front = `const VERSION = ${JSON.stringify(hash.digest('hex').slice(0, 16))};\nconst FILES = ${JSON.stringify(files)};\n`;
        this.emitFile({ type: 'asset', fileName: 'sw.js', source: front + readFileSync(WORKER, 'utf8') });
      },
    },
  };
}
