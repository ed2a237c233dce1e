/* axe on every page and in every moment of a table, as wide as a phone and as a laptop: the rules of WCAG 2.2 AA and those of
 * good practice. A picture of each by E2E_SHOTS=DIR. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { ANSWERS } from './lib/answers.mjs';
import { fontsCome } from './lib/browser.mjs';
import { onPage, PHONE, SIZES } from './lib/board.mjs';
import { equal, test } from './lib/harness.mjs';
import { MOMENTS, showMoment } from './lib/moments.mjs';
import { Site } from './lib/site.mjs';
import { scene } from './lib/stage.mjs';
import { PAGES, STRANGERS } from './lib/views.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const WIDTHS = { phone: { ...PHONE, deviceScaleFactor: 1, reducedMotion: 'reduce' }, laptop: { ...SIZES['a laptop of 1366'], reducedMotion: 'reduce' } };

/** What axe finds, a line for each rule with the first of the places. */
async function faults(page, rules = {}) {
  await fontsCome(page);
  await page.evaluate(AXE);
  return page.evaluate(async ([values, rules]) => {
    const { violations } = await window.axe.run(document, { runOnly: { type: 'tag', values }, rules, resultTypes: ['violations'] });
    return violations.map((v) => `${v.id} (${v.nodes.length}): ${v.nodes[0].target.join(' ')} ${v.nodes[0].failureSummary.split('\n').slice(1, 3).join(' ')}`);
  }, [TAGS, rules]);
}

async function shot(page, name) {
  if (process.env.E2E_SHOTS) await page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}.png`) });
}

async function moments(browser, origin, size, options) {
  for (const [name, moment] of Object.entries(MOMENTS))
    await test(`axe finds nothing at a table on a ${size}: ${name}`, () =>
      onPage(browser, origin, options, moment.snapshot ?? scene(), async (page, stage) => {
        await showMoment(page, stage, origin, moment);
        /* A menu is gone as soon as the focus leaves it: it stands in no landmark. */
        equal(await faults(page, name === 'menu' ? { region: { enabled: false } } : {}), [], 'faults');
        await shot(page, `table-${size}-${name}`);
      }));
}

async function pages(browser, origin, size, options, paths, stranger) {
  const site = await new Site().open(browser, origin, { ...options, stranger });
  site.begin(ANSWERS);
  for (const path of paths)
    await test(`axe finds nothing on ${path} on a ${size}${stranger ? ' of a stranger' : ''}`, async () => {
      await site.goto(path);
      await site.page.getByRole('heading', { level: 1 }).first().waitFor();
      await site.page.waitForLoadState('networkidle');
      equal(await faults(site.page), [], 'faults');
      await shot(site.page, `page-${size}${stranger ? '-stranger' : ''}${path.replaceAll('/', '-')}`);
    });
  await site.context.close();
}

export async function a11yTests(browser, origin) {
  for (const [size, options] of Object.entries(WIDTHS)) {
    await moments(browser, origin, size, options);
    await pages(browser, origin, size, options, PAGES, false);
    await pages(browser, origin, size, options, STRANGERS, true);
  }
}
