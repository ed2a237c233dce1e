/* What a newcomer's browser fetches before it shows the sign-in page, and before the first table can be
 * played. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { atTable, PHONE, settled } from '../lib/board.mjs';
import { openPage } from '../lib/browser.mjs';
import { check, equal } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';

/** kB of scripts, styles, and texts, compressed as sent by the server. */
const BUDGET_KB = 150;
/** kB of scripts alone, including the texts, which have about the same size in English and German. The
 * scripts contain the names of all chunks, so any change of the page moves their compressed size by up to
 * 0.1 kB. */
const ENTRANCE_KB = 46;
const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** Bytes sent for a file, which the build may have compressed. */
async function sent(path) {
  try {
    return (await readFile(`${DIST}${path}.br`)).length;
  } catch {
    return (await readFile(DIST + path)).length;
  }
}

/** The files of this kind, their total size, and a line that lists the largest ones. */
async function weighed(paths, kind) {
  const files = [...new Set(paths)].filter((path) => kind.test(path));
  const sizes = await Promise.all(files.map(async (path) => [path, await sent(path)]));
  sizes.sort((a, b) => b[1] - a[1]);
  const kb = sizes.reduce((sum, [, size]) => sum + size, 0) / 1000;
  const heavy = sizes.slice(0, 12).map(([path, size]) => `${path.slice(8)} ${(size / 1000).toFixed(1)}`);
  return { files, kb, words: `${kb.toFixed(1)} kB: ${heavy.join(', ')}` };
}

const fetched = (page) =>
  page.evaluate(() => performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname));

test(`no more than ${ENTRANCE_KB} kB of scripts come before a newcomer sees the sign-in page`, async () => {
  const { context, page, errors } = await openPage(here.browser, PHONE);
  try {
    /* Prefetches start when the browser is idle, which never happens here. */
    await page.addInitScript(() => (window.requestIdleCallback = () => 0));
    await page.route('**/v1/**', (route) => route.abort());
    await page.goto(`${here.origin}/`);
    await page.locator('main form .primary').waitFor();
    await page.waitForLoadState();
    const { files, kb, words } = await weighed(await fetched(page), /^\/assets\/.*\.js$/);
    console.log(`      ${words}`);
    check(
      files.some((path) => path.includes('/Enter-')),
      `the sign-in page was not among ${files.join(' ')}`,
    );
    check(kb <= ENTRANCE_KB, words);
    equal(errors, [], 'errors of the page');
  } finally {
    await context.close();
  }
});
test(`no more than ${BUDGET_KB} kB come before the first table can be played`, async () => {
  await atTable(
    async (page) => {
      await page.reload(); // so that the document loads only what the table needs
      await page.waitForSelector('.hand [data-card]');
      await settled(page);
      const { files, kb, words } = await weighed(await fetched(page), /^\/assets\/.*\.(js|css)$/);
      console.log(`      ${words}`);
      check(
        files.some((path) => path.includes('/Table-')),
        `the table was not among ${files.join(' ')}`,
      );
      check(kb <= BUDGET_KB, words);
    },
    { options: PHONE },
  );
});
