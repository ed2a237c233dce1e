/* Playwright's `test` with shared fixtures. Each worker has one browser, and starts the rest when a test
 * first needs it. */
import { fileURLToPath } from 'node:url';
import { expect, test as base } from '@playwright/test';
import { countedAll } from './coverage.mjs';
import { Platform } from './server.mjs';
import { serveStatic } from './static.mjs';

/* Playwright reads the stack twice per call and maps every frame to its source, which takes a quarter of its
 * runner's time. Only our own files need the mapping, so that a failure names the line. */
const mapped = Error.prepareStackTrace;
const HERE = new URL('..', import.meta.url).href;
if (mapped)
  Error.prepareStackTrace = (error, frames) => {
    const line = (frame) => {
      if (!frame.getFileName()?.startsWith(HERE)) return `\n    at ${String(frame).replace(/^async /, '')}`;
      const text = mapped({}, [frame]);
      return text.slice(text.indexOf('\n'));
    };
    return `${error.name || 'Error'}: ${error.message ?? ''}${frames.map(line).join('')}`;
  };

const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));

export { expect };
export const test = base.extend({
  /** Flags of the shared server; a file with other flags gets separate workers and servers. */
  serverFlags: [{}, { option: true, scope: 'worker' }],

  /** rummyd with a database, for every file with default settings. Files must not share names or
   * addresses. */
  platform: [
    async ({ serverFlags }, use) => {
      const platform = new Platform();
      try {
        await use(await platform.start(serverFlags));
      } finally {
        await platform.stop();
      }
    },
    { scope: 'worker' },
  ],

  /** Must run before the browser is closed. */
  coverage: [
    async ({ browser }, use) => {
      await use(browser);
      await countedAll();
    },
    { scope: 'worker', auto: true },
  ],

  /** The built page. */
  dist: [DIST, { option: true, scope: 'worker' }],

  /** The built page without a server: our own HTTP server. */
  pageServer: [
    async ({ dist }, use) => {
      const server = await serveStatic(dist, 0);
      await use(server);
      server.close();
      server.closeAllConnections();
    },
    { scope: 'worker' },
  ],

  /** Address of the built page. */
  origin: [
    async ({ pageServer }, use) => use(`http://127.0.0.1:${pageServer.address().port}`),
    { scope: 'worker' },
  ],
});

/** A figure for the report. */
export function note(text) {
  console.log(`      ${text}`);
}

/** Checks that nothing is wider than the window once the page has adapted to its last resize. */
export const fitsWidth = (page, what = 'the page') =>
  expect
    .poll(
      () => page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      `${what}: pixels too wide`,
    )
    .toBeLessThanOrEqual(0);

/** Closes the pages that a file opened for all of its tests. None of them may have had an error. */
export async function closeClean(...opened) {
  const all = opened.filter(Boolean); // if `beforeAll` failed, not all of them are open
  for (const { context } of all) await context.close();
  expect(
    all.flatMap(({ errors }) => errors),
    'errors of the pages',
  ).toEqual([]);
}
