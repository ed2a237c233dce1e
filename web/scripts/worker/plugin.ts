/* Builds /sw.js: src/worker/sw.js with a list of the files that the page needs offline, and a version that
 * changes with them. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin, Rollup } from 'vite';
import { PARTS } from '../messages/message-use';

const WORKER = fileURLToPath(new URL('../../src/worker/sw.js', import.meta.url));
const PAGE = 'index.html';
/** The fallback language, always cached. The player's language is cached when the page loads it. */
const SPOKEN_BY_ALL = 'en';

type Bundle = Rollup.OutputBundle;

/** The files of the fallback language, which no script imports by name (scripts/messages/plugin.ts). */
const isSpokenByAll = (name: string) =>
  PARTS.some((part) => name.startsWith(`assets/${SPOKEN_BY_ALL}-${part}-`));

/** All files that the players' page can reach (scripts, styles, and the engine), except fonts and other
 * languages. */
export function filesOf(bundle: Bundle): string[] {
  const files = new Set<string>();
  const visit = (name: string) => {
    if (files.has(name)) return;
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
  for (const name of [entry.fileName, ...Object.keys(bundle).filter(isSpokenByAll)]) visit(name);
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
