/* Executed lines of the page's sources: `node bench/v8_lines.mjs TREE FOLDER` prints {file: {line: count}} as JSON,
 * from V8's counts in vitest (web/src/test-coverage.ts) and in Chromium (tests/e2e/lib/coverage.mjs). bench/coverage
 * calls it. */
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { eachMapping, TraceMap } from '@jridgewell/trace-mapping';

const [tree, folder] = process.argv.slice(2).map((path) => resolve(path));
const INLINE = /\n\/\/# sourceMappingURL=data:application\/json;[^,]*base64,([\w+/=]+)/;
const OURS = /^(web\/src|sdk\/typescript\/src|wasm\/src)\/.*(?<!\.test)\.(ts|svelte)$/;
const lines = {};
const chunks = new Map(); // cache of the build's chunks by path

/** Counts the executions of each character. Ranges of a function are nested, and the innermost one
 * counts. */
function counts(source, functions) {
  const count = new Uint32Array(source.length);
  const ranges = functions.flatMap(({ ranges: all }) => all);
  ranges.sort((a, b) => a.startOffset - b.startOffset || b.endOffset - a.endOffset);
  for (const { startOffset, endOffset, count: n } of ranges) count.fill(n, startOffset, endOffset);
  return count;
}

function starts(source) {
  const at = [0];
  for (let i = source.indexOf('\n'); i >= 0; i = source.indexOf('\n', i + 1)) at.push(i + 1);
  return at;
}

/** Adds line counts. The count of a line is the highest count of the code generated from it. */
function add(source, map, base, functions) {
  const count = counts(source, functions);
  const at = starts(source);
  eachMapping(new TraceMap(map), ({ generatedLine, generatedColumn, source: from, originalLine }) => {
    if (!from || !originalLine) return;
    const file = relative(tree, resolve(base, from));
    if (!OURS.test(file)) return;
    const of = (lines[file] ??= {});
    const n = count[at[generatedLine - 1] + generatedColumn] ?? 0;
    of[originalLine] = Math.max(of[originalLine] ?? 0, n);
  });
}

function chunk(path) {
  const file = join(tree, 'web/dist', path);
  try {
    if (!chunks.has(path))
      chunks.set(path, [readFileSync(file, 'utf8'), JSON.parse(readFileSync(`${file}.map`, 'utf8'))]);
  } catch {
    chunks.set(path, null); // generated at run time, or not part of the build
  }
  return chunks.get(path);
}

for (const name of readdirSync(folder)) {
  for (const { path, source, functions } of JSON.parse(readFileSync(join(folder, name), 'utf8'))) {
    if (source) {
      const inline = INLINE.exec(source);
      if (inline)
        add(source, JSON.parse(Buffer.from(inline[1], 'base64').toString()), dirname(path), functions);
    } else {
      const built = chunk(path);
      if (built) add(...built, dirname(join(tree, 'web/dist', path)), functions);
    }
  }
}
console.log(JSON.stringify(lines));
