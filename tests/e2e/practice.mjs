/* What the page draws when no server answers: practice, the rules and replays at once; any other page says so and offers
 * practice. A session is kept in the browser, as a returning player has it. */
import { violations } from './lib/axe.mjs';
import { openPage } from './lib/browser.mjs';
import { equal, test } from './lib/harness.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, reducedMotion: 'reduce' };

async function withoutServer(browser, origin, path, work) {
  const { context, page, errors } = await openPage(browser, PHONE);
  try {
    const session = { access: 'a', renewAt: Date.now() + 1e9, refresh: 'r' };
    await page.addInitScript((kept) => localStorage.setItem('rummyd:session', JSON.stringify(kept)), session);
    await page.route('**/v1/**', (route) => route.abort());
    await page.goto(origin + path);
    await work(page);
    equal(errors, [], 'errors of the page');
  } finally {
    await context.close();
  }
}

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();

export async function practiceTests(browser, origin) {
  for (const [path, name] of [['/rules', 'Rules'], ['/rules/rummy51', 'Rummy 51'], ['/replay', '']])
    await test(`${path} is drawn without a server`, () => withoutServer(browser, origin, path, (page) => heading(page, name)));
  await test('practice is drawn and begins without a server, no moon behind its words', () =>
    withoutServer(browser, origin, '/practice', async (page) => {
      await heading(page, 'Practice');
      equal(await page.locator('.moon').count(), 0, 'moons');
      equal(await violations(page), [], 'axe');
      await page.getByRole('button', { name: 'Start' }).tap();
      await page.locator('.table-bar').waitFor();
    }));
  await test('any other page says that no server is reached, and offers practice', () =>
    withoutServer(browser, origin, '/rooms', async (page) => {
      await page.getByText('Connection lost').waitFor();
      equal(await violations(page), [], 'axe');
      await page.getByRole('link', { name: 'Practice' }).tap();
      await heading(page, 'Practice');
    }));
}
