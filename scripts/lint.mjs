#!/usr/bin/env node
/* Checks the lint rules and the format of JavaScript, TypeScript, and the other files that Prettier formats; scripts/check
 * calls it. As in scripts/analyze for C, a file that was clean before, in any clone on this machine, is skipped. Its
 * entry in ${XDG_CACHE_HOME:-~/.cache}/rummyd/analysis is an empty file whose name is a hash of everything that
 * determines the result. Findings are not cached. Exits with 1 if something was found. */
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'rummyd/analysis');
const DAY_MS = 86_400_000; // scripts/analyze removes entries by the day of their last use
const SKIPPED = /^(node_modules|\.git|\.venv|\.svelte-check|dist|var|build.*)$/; // folders
const LINTED = /\.([cm]?js|ts|svelte)$/;
const FORMATTED = /\.(js|mjs|ts|svelte|css|html|json)$/;
/* In this folder, rules that use types depend on all of its files. */
const TYPED = 'tests/e2e/';

/** Every file below the folder, as a path from the root. */
function* files(folder = ROOT) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !SKIPPED.test(entry.name)) yield* files(path);
    else if (entry.isFile()) yield relative(ROOT, path);
  }
}

const text = (path) => readFileSync(join(ROOT, path));
const digest = (...parts) => {
  const whole = createHash('sha256');
  for (const part of parts) whole.update(`${Buffer.byteLength(part)}:`).update(part);
  return whole.digest('hex');
};

const all = [...files()].sort();
const tools = [process.version, ...['package-lock.json', 'scripts/lint.mjs'].map(text)];
const lintRules = digest(
  'eslint',
  ...tools,
  ...['eslint.config.mjs', 'tests/e2e/tsconfig.json', 'web/src/lib/messages/en.json'].map(text),
  ...all.filter((path) => path.startsWith('web/lint/')).map(text),
  readdirSync(join(ROOT, 'web/src/lib')).join('\n'), // the rooms
);
const typed = digest(...all.filter((path) => path.startsWith(TYPED) && LINTED.test(path)).map(text));
const formatRules = digest(
  'prettier',
  ...tools,
  ...['.prettierrc', '.prettierignore', '.gitignore', '.editorconfig'].map(text),
);

const entry = (key) => join(CACHE, key.slice(0, 2), key.slice(2));
const wasClean = (key) => {
  const { mtimeMs } = statSync(entry(key), { throwIfNoEntry: false }) ?? {};
  if (mtimeMs === undefined) return false;
  if (mtimeMs < Date.now() - DAY_MS) utimesSync(entry(key), new Date(), new Date());
  return true;
};
const remember = (key) => {
  mkdirSync(dirname(entry(key)), { recursive: true });
  writeFileSync(entry(key), '');
};

const lintKey = (path) => digest(lintRules, path.startsWith(TYPED) ? typed : '', path, text(path));
const formatKey = (path) => digest(formatRules, path, text(path));
/** The files that must be checked, each with its key. */
const unknown = (pattern, keyOf) =>
  all
    .filter((path) => pattern.test(path))
    .map((path) => ({ path, key: keyOf(path) }))
    .filter(({ key }) => !wasClean(key));

/** Lints the files → whether all are clean. */
async function lint(todo) {
  const { ESLint } = await import('eslint');
  const eslint = new ESLint({ cwd: ROOT, warnIgnored: false });
  const wanted = [];
  for (const each of todo)
    if (!(await eslint.isPathIgnored(each.path)) && (await eslint.calculateConfigForFile(each.path)))
      wanted.push(each);
  const results = await eslint.lintFiles(wanted.map(({ path }) => path));
  const found = results.filter((result) => result.messages.length);
  if (found.length) console.log(await (await eslint.loadFormatter('stylish')).format(found));
  const bad = new Set(found.map((result) => relative(ROOT, result.filePath)));
  for (const { path, key } of todo) if (!bad.has(path) && lintKey(path) === key) remember(key);
  return !results.some((result) => result.errorCount);
}

/** Checks the format of the files → whether Prettier would leave all of them unchanged. */
async function format(todo) {
  const prettier = await import('prettier');
  let clean = true;
  for (const { path, key } of todo) {
    const filepath = join(ROOT, path);
    const ignorePath = ['.gitignore', '.prettierignore'].map((name) => join(ROOT, name));
    const { ignored } = await prettier.getFileInfo(filepath, { ignorePath });
    const options = { ...(await prettier.resolveConfig(filepath, { editorconfig: true })), filepath };
    const good =
      ignored ||
      (await prettier.check(text(path).toString(), options).catch(({ message }) => {
        console.log(message);
        return false;
      }));
    if (good && formatKey(path) === key) remember(key);
    if (!good) {
      console.log(`${path}: not formatted; run npx prettier --write ${path}`);
      clean = false;
    }
  }
  return clean;
}

const toLint = unknown(LINTED, lintKey);
const toFormat = unknown(FORMATTED, formatKey);
const linted = !toLint.length || (await lint(toLint));
const formatted = !toFormat.length || (await format(toFormat));
process.exitCode = linted && formatted ? 0 : 1;
