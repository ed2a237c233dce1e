/* axe on every page and in every moment of a table, as wide as a phone and, in the long form, as a laptop: the rules of WCAG 2.2 AA and those of
 * good practice. A picture of each by E2E_SHOTS=DIR. */
import { join } from 'node:path';
import { ANSWERS } from './lib/answers.mjs';
import { openPage, turnTo } from './lib/browser.mjs';
import { violations } from './lib/axe.mjs';
import { PHONE, SIZES } from './lib/board.mjs';
import { equal, short, test } from './lib/harness.mjs';
import { MOMENTS, showMoment } from './lib/moments.mjs';
import { Site } from './lib/site.mjs';
import { scene, Stage } from './lib/stage.mjs';
import { PAGES, STRANGERS } from './lib/views.mjs';

const WIDTHS = short({ phone: { ...PHONE, deviceScaleFactor: 1, reducedMotion: 'reduce' }, laptop: { ...SIZES['a laptop of 1366'], reducedMotion: 'reduce' } }, 'phone');

async function shot(page, name) {
  if (process.env.E2E_SHOTS) await page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}.png`) });
}

/** One moment after the other on one page, which leaves the table in between: most of the time would go into loading it. */
async function moments(browser, origin, size, options) {
  const { context, page, errors } = await openPage(browser, options);
  const stage = await new Stage(page).set();
  const elsewhere = () => page.getByText('There’s nothing at this address').waitFor();
  for (const [name, moment] of Object.entries(MOMENTS))
    await test(`axe finds nothing at a table on a ${size}: ${name}`, async () => {
      stage.begin(moment.snapshot ?? scene());
      await (page.url().startsWith(origin) ? turnTo(page, '/nosuch') : page.goto(`${origin}/nosuch`));
      await elsewhere();
      await page.mouse.move(0, 0);
      await showMoment(page, stage, origin, moment, (path) => turnTo(page, path));
      /* A menu is gone as soon as the focus leaves it: it stands in no landmark. */
      equal(await violations(page, name === 'menu' ? { region: { enabled: false } } : {}), [], 'faults');
      await shot(page, `table-${size}-${name}`);
      equal(errors.splice(0), [], 'errors of the page');
    });
  await context.close();
}

async function pages(browser, origin, size, options, paths, stranger) {
  const site = await new Site().open(browser, origin, { ...options, stranger });
  site.begin(ANSWERS);
  await site.goto('/nosuch');
  for (const path of paths)
    await test(`axe finds nothing on ${path} on a ${size}${stranger ? ' of a stranger' : ''}`, async () => {
      await site.turn(path);
      await site.page.getByRole('heading', { level: 1 }).first().waitFor();
      equal(await violations(site.page), [], 'faults');
      await shot(site.page, `page-${size}${stranger ? '-stranger' : ''}${path.replaceAll('/', '-')}`);
      site.clean();
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
