/* What the page shows if no server responds: practice, the rules, and replays work immediately; any other
 * page reports the problem and offers practice. The browser has a stored session, like a returning
 * player's. */
import { violations } from '../lib/axe.mjs';
import { keepSession, openPage } from '../lib/browser.mjs';
import { counted, equal } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { answerFor } from '../lib/static.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, reducedMotion: 'reduce' };

async function withoutServer(path, work) {
  const { context, page, errors } = await openPage(here.browser, PHONE);
  try {
    const session = { access: 'a', renewAt: Date.now() + 1e9, refresh: 'r' };
    await keepSession(page, session);
    await answerFor(page, () => null);
    await page.goto(here.origin + path);
    await work(page);
    equal(errors, [], 'errors of the page');
  } finally {
    await context.close();
  }
}

const heading = (page, name) => page.getByRole('heading', { level: 1, name }).waitFor();

const OWN_CARDS = '.mine .hand [data-card]';
const cardsOf = (page) =>
  page.locator(OWN_CARDS).evaluateAll((all) => all.map((el) => el.dataset.card).sort());

/** A phone that has visited before while online, and has the service worker since then. */
async function visited(work) {
  const { context, page, errors } = await openPage(here.browser, { ...PHONE, serviceWorkers: 'allow' });
  try {
    await page.route('**/v1/**', (route) => route.abort());
    await page.goto(`${here.origin}/rules`);
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await work(page, context);
    equal(errors, [], 'errors of the page');
  } finally {
    await context.close();
  }
}

function offline() {
  test('the page starts offline, and a practice game survives a reload', () =>
    visited(async (page, context) => {
      await context.setOffline(true);
      await page.goto(`${here.origin}/practice`);
      await heading(page, 'Practice');
      await page.getByRole('button', { name: 'Start' }).tap();
      await page.locator(OWN_CARDS).first().waitFor();
      const dealt = await cardsOf(page);
      await page.reload();
      await page.getByRole('button', { name: 'Continue' }).tap();
      await page.locator(OWN_CARDS).first().waitFor();
      equal(await cardsOf(page), dealt, 'the hand after a reload');
    }));
  test('without a line the guided hand starts, too', () =>
    visited(async (page, context) => {
      await context.setOffline(true);
      await page.goto(`${here.origin}/learn`);
      await page.getByText('1 of 12').waitFor();
    }));
  test('no answer of the server is ever kept', () =>
    visited(async (page) => {
      const urls = await page.evaluate(async () => {
        const all = await Promise.all(
          (await caches.keys()).map(async (name) => (await caches.open(name)).keys()),
        );
        return all.flat().map(({ url }) => new URL(url).pathname);
      });
      equal(
        urls.includes('/') && urls.some((path) => path.endsWith('.wasm')),
        true,
        'the page and the engine are kept',
      );
      equal(
        urls.filter((path) => !/^\/($|assets\/|icon|manifest)/.test(path)),
        [],
        'anything else',
      );
    }));
}

function updates() {
  test('a newer version is offered, and installed when the player accepts', () =>
    visited(async (page, context) => {
      await page.evaluate(async () => {
        const [before] = await caches.keys();
        await (
          await caches.open(before)
        ).put(
          '/',
          new Response('<p>The page of the version before</p>', { headers: { 'Content-Type': 'text/html' } }),
        );
      });
      here.pageServer.worker = (text) => text.replace(/^const VERSION = "[^"]*"/, 'const VERSION = "newer"');
      try {
        await page.goto(`${here.origin}/`);
        await page.evaluate(async () => void (await (await navigator.serviceWorker.ready).update()));
        const bar = page.locator('.update');
        await bar.waitFor();
        equal(await violations(page), [], 'axe');
        const reloaded = page.waitForEvent('load');
        await bar.getByRole('button').tap();
        await reloaded;
        await page.waitForFunction(async () => (await caches.keys()).includes('rummyd-newer'));
        await counted(bar, 0, 'bars');
        await context.setOffline(true);
        await page.reload();
        await page.locator('#app main').first().waitFor();
      } finally {
        here.pageServer.worker = null;
      }
    }));
}

offline();
updates();
for (const [path, name] of [
  ['/rules', 'Rules'],
  ['/rules/rummy51', 'Rummy 51'],
  ['/replay', ''],
])
  test(`${path} is drawn without a server`, () => withoutServer(path, (page) => heading(page, name)));
test('practice renders and starts without a server, with no moon behind its text', () =>
  withoutServer('/practice', async (page) => {
    await heading(page, 'Practice');
    equal(await page.locator('.moon').count(), 0, 'moons');
    await page.getByRole('button', { name: 'Start' }).tap();
    await page.locator('.table-bar').waitFor();
  }));
test('any other page reports that the server is unreachable, and offers practice', () =>
  withoutServer('/', async (page) => {
    await page.getByText('Connection lost').waitFor();
    await page.getByRole('link', { name: 'Practice' }).tap();
    await heading(page, 'Practice');
  }));
