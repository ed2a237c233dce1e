/* The WebAssembly engine in Chromium, under the policy that the server sends: the vectors give the same
 * results as in the program (wasm/test/rules.test.ts does the same in Node.js). Requires the packages of
 * wasm/, but no server. */
import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { openPage } from '../lib/browser.mjs';
import { expect, test } from '../lib/test.mjs';

const root = new URL('../../../', import.meta.url);
const BUILD = new URL('build-wasm/', root);
const POLICY = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'";
const FILES = {
  '/': ['text/html', () => '<!doctype html><title>engine</title>'],
  '/browser.js': ['text/javascript', () => readFileSync(new URL('browser/browser.js', BUILD))],
  '/asked.wasm': ['application/wasm', () => readFileSync(new URL('asked.wasm', BUILD))],
};

function vectorFiles() {
  const folder = new URL('tests/vectors/', root);
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.txt'))
    .sort();
  return names.map((name) => readFileSync(new URL(name, folder), 'utf8'));
}

async function serve(policy) {
  const server = createServer((request, response) => {
    const [type, read] = FILES[request.url] ?? [];
    if (!type) return response.writeHead(404).end();
    response.writeHead(200, { 'Content-Type': type, 'Content-Security-Policy': policy }).end(read());
  });
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return server;
}

async function run(browser, policy, texts) {
  const server = await serve(policy);
  const { context, page } = await openPage(browser);
  try {
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    return await page.evaluate(async (given) => {
      const { vectors } = await import('/browser.js');
      return vectors('/asked.wasm', given).catch((error) => String(error));
    }, texts);
  } finally {
    await context.close();
    server.close();
  }
}

const texts = vectorFiles();

test.beforeAll(() => {
  execFileSync('npm', ['--prefix', fileURLToPath(new URL('wasm', root)), 'run', '-s', 'browser']);
});

test('every vector holds in the browser', async ({ browser }) => {
  const told = await run(browser, POLICY, texts);
  expect(
    told.filter(({ wrong }) => wrong !== ''),
    'vectors that do not hold',
  ).toEqual([]);
  expect(told.length, 'vectors').toBe(texts.join('\n').match(/^vector /gm).length);
});

test('a page that may not compile WebAssembly has no engine', async ({ browser }) => {
  const told = await run(browser, "default-src 'self'", texts.slice(0, 1));
  expect(JSON.stringify(told)).toMatch(/Content.Security.Policy|CompileError/i);
});
