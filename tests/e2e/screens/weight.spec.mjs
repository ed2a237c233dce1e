/* What a newcomer's browser fetches before the first table can be played. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { atTable, PHONE, settled } from '../lib/board.mjs';
import { check } from '../lib/harness.mjs';
import { test } from '../lib/screens.mjs';

/** kB of scripts, styles and sentences, compressed as the server sends them. */
const BUDGET_KB = 150;
const DIST = fileURLToPath(new URL('../../../web/dist', import.meta.url));

/** As compressed at the build; what was not is sent as it is. */
async function sent(path) {
  try {
    return (await readFile(`${DIST}${path}.br`)).length;
  } catch {
    return (await readFile(DIST + path)).length;
  }
}

test(`no more than ${BUDGET_KB} kB come before the first table can be played`, async () => {
  await atTable(
    async (page) => {
      await page.reload(); // of the document so far only what the table needs
      await page.waitForSelector('.hand [data-card]');
      await settled(page);
      const paths = await page.evaluate(() =>
        performance.getEntriesByType('resource').map((entry) => new URL(entry.name).pathname),
      );
      const files = [...new Set(paths)].filter((path) => /^\/assets\/.*\.(js|css)$/.test(path));
      const sizes = await Promise.all(files.map(async (path) => [path, await sent(path)]));
      const kb = sizes.reduce((sum, [, size]) => sum + size, 0) / 1000;
      const heavy = sizes.sort((a, b) => b[1] - a[1]).slice(0, 12);
      console.log(
        `      ${kb.toFixed(1)} kB: ${heavy.map(([path, size]) => `${path.slice(8)} ${(size / 1000).toFixed(1)}`).join(', ')}`,
      );
      check(
        files.some((path) => path.includes('/Table-')),
        `the table was not among ${files.join(' ')}`,
      );
      check(
        kb <= BUDGET_KB,
        `${kb.toFixed(1)} kB: ${heavy.map(([path, size]) => `${path} ${size}`).join(', ')}`,
      );
    },
    { options: PHONE },
  );
});
