/* External influences on the page: browser translation, modules that do not load, and a new version on the
 * server. With mocked responses, without a server. */
import { openPage, turnTo } from '../lib/browser.mjs';
import { check, equal, until } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { opened } from '../lib/site.mjs';
import { answerFor } from '../lib/static.mjs';
import { views } from '../lib/views.mjs';

const NOT_FOUND = { status: 404, json: { code: 'not_found', status: 404, title: 'Not found' } };
const MENU = '**/assets/LanguageMenu-*.js';
const GERMAN = '**/assets/de-*.js';

async function entrance(work) {
  const { context, page } = await openPage(here.browser, { locale: 'en-US' });
  await answerFor(page, () => NOT_FOUND);
  await page.goto(here.origin);
  await page.getByText('Play now').waitFor();
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  await work(page);
  equal(errors, [], 'errors of the page');
  await context.close();
}

/** Replaces every text as Chrome's translator does, in one of the orders that translators use. */
function translate(page, order) {
  return page.evaluate((how) => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = [];
    while (walker.nextNode()) texts.push(walker.currentNode);
    const live = texts.filter(
      (text) => text.data.trim() && !text.parentElement.closest('[translate=no], script, style, font'),
    );
    for (const text of live) {
      const font = document.createElement('font');
      font.append(document.createElement('font'));
      font.firstChild.textContent = `<<${text.data}>>`;
      if (how === 'replace') text.replaceWith(font);
      else if (how === 'before') {
        text.parentNode.insertBefore(font, text);
        text.parentNode.removeChild(text);
      } else {
        const [parent, next] = [text.parentNode, text.nextSibling];
        parent.removeChild(text);
        parent.insertBefore(font, next);
      }
    }
    return live.length;
  }, order);
}

const openMenu = (page) => page.locator('[data-dropdown-menu-trigger]').first().click();

function translation() {
  for (const order of ['replace', 'before', 'after'])
    test(`texts that browser translation replaced still change (${order})`, () =>
      entrance(async (page) => {
        check((await translate(page, order)) > 5, 'too few texts were replaced');
        await page.getByText('<<Play now>>').waitFor();
        await openMenu(page);
        await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
        await page.getByText('Jetzt spielen').waitFor();
        equal(await page.getByText('<<Play now>>').count(), 0, 'old translations');
        await translate(page, order);
        await turnTo(page, '/rules');
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText('Jetzt spielen').waitFor({ state: 'detached' });
        equal(await page.locator('main font').count(), 0, 'translations of the page before');
      }));
}

/** Retries until the module is loaded. Some browsers cache the failure, so after another try the page
 * offers only a reload, and `open` then requests the module again. A slow browser may fail once more, and
 * the page reports that as well. */
const tryAgain = (page, bar, part, open) =>
  until(async () => {
    const again = bar.getByRole('button', { name: 'Try again' });
    const reload = bar.getByRole('button', { name: 'Reload' });
    if (await again.isVisible())
      await again.click({ timeout: 1000 }).catch(() => undefined); // it closes when the module arrives
    else if (await reload.isVisible()) {
      await reload.click();
      await page.getByText('Play now').waitFor();
      await open();
      await part.waitFor();
    }
    return part.isVisible();
  }, 'the part did not come');

function parts() {
  test('a part that fails to load is reported, and loads on the next try', () =>
    entrance(async (page) => {
      await page.route(MENU, (route) => route.abort());
      await openMenu(page);
      const bar = page.getByRole('alert').filter({ hasText: 'Part of the page didn’t load.' });
      await bar.waitFor();
      await page.unroute(MENU);
      await tryAgain(page, bar, page.getByRole('menuitemradio', { name: 'Deutsch' }), () => openMenu(page));
      equal(await bar.count(), 0, 'reports');
    }));
  test('a language that fails to load is reported, and the page keeps its language until the next try', () =>
    entrance(async (page) => {
      await page.route(GERMAN, (route) => route.abort());
      const choose = async () => {
        await openMenu(page);
        await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      };
      await choose();
      const bar = page.getByRole('alert').filter({ hasText: 'Part of the page didn’t load.' });
      await bar.waitFor();
      equal(await page.locator('html').getAttribute('lang'), 'en', 'language');
      await page.unroute(GERMAN);
      await tryAgain(page, bar, page.getByText('Jetzt spielen'), choose);
      equal(await bar.count(), 0, 'reports');
    }));
  test('a new version on the server is offered when an old part has gone', () =>
    entrance(async (page) => {
      await page.route(MENU, (route) => route.fulfill({ status: 404 }));
      await page.route(`${here.origin}/`, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<script type="module" src="/assets/newer.js"></script>',
        }),
      );
      await openMenu(page);
      await page.getByText('The page was updated.').waitFor();
      await page.unroute(`${here.origin}/`);
      await page.unroute(MENU);
      await page.getByRole('button', { name: 'Reload' }).click();
      await page.getByText('The page was updated.').waitFor({ state: 'detached' });
      await openMenu(page);
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).waitFor();
    }));
}

/** The worker of the analysis, and the engine that it loads. */
const ANALYSIS = ['**/assets/analysis.worker-*.js', '**/assets/engine-*.wasm'];

function workers() {
  test('an analysis whose files do not load reports it and can be retried', () => {
    const { path, answers } = views().replay;
    return opened(
      path,
      async (page, site) => {
        const begin = page.locator('.analysis .btn.primary:visible');
        const alert = page.locator('.analysis [role=alert]:visible');
        for (const file of ANALYSIS) {
          await page.context().route(file, (route) => route.abort());
          await begin.click();
          await alert.filter({ hasText: 'The rules couldn’t be loaded.' }).waitFor();
          equal(await page.locator('.parts').count(), 0, 'reports of the whole page');
          await page.context().unroute(file);
        }
        await begin.click();
        await page.locator('.analysis table:visible').waitFor();
        equal(await alert.count(), 0, 'alerts');
        equal(
          site.errors.splice(0),
          ['TypeError: Failed to fetch'],
          'errors, which Playwright also reports for workers',
        );
      },
      { more: answers },
    );
  });
  test('a practice game whose rules have gone with the old version offers the new one', () =>
    entrance(async (page) => {
      await page.route('**/assets/engine-*.wasm', (route) => route.fulfill({ status: 404 }));
      await page.route(`${here.origin}/`, (route) =>
        route.fulfill({
          contentType: 'text/html',
          body: '<script type="module" src="/assets/newer.js"></script>',
        }),
      );
      await turnTo(page, '/practice');
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.locator('main .btn.primary').first().click();
      await page.getByText('The game couldn’t be loaded.').waitFor();
      await page.getByText('The page was updated.').waitFor();
    }));
}

translation();
parts();
workers();
