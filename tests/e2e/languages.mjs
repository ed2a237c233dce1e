/* The page in every language, and in the two that are made for tests (longer text with marks, text from right to left): it is
 * chosen by the browser's wish and by hand, it is kept, and nothing is wider than a phone or cut off. No server behind it.
 * E2E_SHOTS names a folder for a picture of each page. */
import { ANSWERS } from './lib/answers.mjs';
import { closePages, cutTexts, noSideways, notSeen, onPage, PHONE, settled, SIZES } from './lib/board.mjs';
import { fontsCome, openPage } from './lib/browser.mjs';
import { check, equal, short, test, until } from './lib/harness.mjs';
import { ends, MOMENTS, showMoment } from './lib/moments.mjs';
import { indian } from './lib/scenes.mjs';
import { Site } from './lib/site.mjs';
import { ME, scene } from './lib/stage.mjs';
import { PAGES } from './lib/views.mjs';

/** What the word for the lobby is, so that the page is known to have come in its language. */
const LOBBY = {
  en: 'Lobby',
  de: 'Lobby',
  fr: 'Accueil',
  hi: 'लॉबी',
  'sr-Latn': 'Lobi',
  'sr-Cyrl': 'Лоби',
};
const MADE = { 'en-XA': /^Löbbý/, 'ar-XB': /\u202eLobby\u202c/ };
/* At the narrowest no language is as long as the accented one. */
const narrow = (tag) => (tag === 'en-XA' ? [360] : [360, 320]);

const speak = (page, tag) => page.evaluate((t) => localStorage.setItem('rummyd:language', JSON.stringify(t)), tag);
const spoken = (page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

/** Beside those that are made for it, the languages of long words and of tall letters show most. */
async function pagesFit(browser, origin) {
  const site = await new Site().open(browser, origin, PHONE);
  site.begin(ANSWERS);
  await site.goto('/');
  for (const [tag, lobby] of Object.entries(short({ ...LOBBY, ...MADE }, 'de', 'hi', ...Object.keys(MADE))))
    await test(`every page fits a phone: ${tag}`, async () => {
      await speak(site.page, tag);
      await site.goto('/');
      await site.page.locator('h1').getByText(lobby).waitFor();
      equal(await spoken(site.page), [tag, tag === 'ar-XB' ? 'rtl' : 'ltr'], 'lang and dir');
      const unfit = [];
      for (const path of PAGES) {
        await site.turn(path);
        for (const width of narrow(tag)) {
          await site.page.setViewportSize({ width, height: 740 });
          const wrong = [...(await site.tooWide()), ...(await cutTexts(site.page)).map((text) => `${text} is cut off`)];
          unfit.push(...wrong.map((what) => `${path} at ${width}: ${what}`));
        }
        await site.page.setViewportSize(PHONE.viewport);
        await site.shot(`${tag}${path.replaceAll('/', '-')}`);
      }
      equal(unfit, [], 'what does not fit');
      site.clean();
    });
  await site.context.close();
}

async function tableFits(page, tag, name) {
  await noSideways(page);
  const heading = await page.locator('.table-bar h1').innerText(); // it alone may end in an ellipsis
  equal((await cutTexts(page)).filter((text) => text !== heading), [], `text that is cut off: ${name}`);
  if (process.env.E2E_SHOTS) await page.screenshot({ path: `${process.env.E2E_SHOTS}/${tag}-table-${name}-${page.viewportSize().width}.png` });
}

async function tablesFit(browser, origin) {
  const at = (size, tag, snapshot, work) =>
    onPage(browser, origin, SIZES[size], snapshot, async (page, stage) => {
      await speak(page, tag);
      await page.goto(`${origin}/table/917`);
      await page.waitForSelector('.hand [data-card]');
      await settled(page);
      await work(page, stage);
    });
  const sizes = {
    'a phone of 320': [...Object.keys(LOBBY), ...Object.keys(MADE)].slice(1),
    'a small phone held sideways': ['hi', ...Object.keys(MADE)],
  };
  for (const [size, tags] of Object.entries(sizes))
    for (const tag of tags)
      await test(`the table fits ${size}: ${tag}`, async () => {
        await at(size, tag, indian(), (page) => tableFits(page, tag, 'declare'));
        await at(size, tag, scene(), async (page, stage) => {
          await tableFits(page, tag, 'play');
          ends(stage);
          await page.getByRole('dialog').waitFor();
          await tableFits(page, tag, 'result');
        });
      });
  await closePages();
}

/** German words are long: what stands beside each other, or over the hand, has room for them. */
async function longWords(browser, origin) {
  const at = (name, size, snapshot, work) =>
    test(name, () =>
      onPage(browser, origin, SIZES[size], snapshot, async (page, stage) => {
        await speak(page, 'de');
        await work(page, stage);
      }));
  const show = (page, stage, name) => showMoment(page, stage, origin, MOMENTS[name]);
  await at('the list of keys fits a phone', 'a phone of 360', scene(), async (page, stage) => {
    await show(page, stage, 'keys');
    equal(await page.locator('.modal').evaluate((el) => el.scrollWidth - el.clientWidth), 0, 'what is too wide');
  });
  await at('how a hand ended for each fits a phone', 'a phone of 360', MOMENTS['hand-end'].snapshot, async (page, stage) => {
    await show(page, stage, 'hand-end');
    const cut = await page.locator('.scores .nick').evaluateAll((all) => all.filter((el) => el.scrollWidth > el.clientWidth).map((el) => el.innerText));
    equal(cut, [], 'what is cut');
  });
  for (const [path, size] of ['/learn', '/learn/points'].flatMap((path) => [[path, 'a phone held sideways'], [path, 'a small phone held sideways']]))
    await at(`the guide’s words at ${path} are not under the hand on ${size}`, size, scene(), async (page) => {
      await page.goto(origin + path);
      await page.locator('[data-guided]').first().waitFor();
      await settled(page);
      const under = await page.evaluate(() => document.querySelector('.guide').getBoundingClientRect().bottom - document.querySelector('.mine').getBoundingClientRect().top);
      check(under <= 0.5, `${under} px are under the own side`);
    });
  await at('every item of the menu is reached on a phone held sideways', 'a small phone held sideways', scene(), async (page) => {
    await page.goto(`${origin}/wallet`);
    await page.locator('header.top [data-dropdown-menu-trigger]').click();
    const menu = page.locator('[role=menu]');
    await menu.waitFor();
    await menu.evaluate((el) => Promise.all(el.getAnimations().map(({ finished }) => finished))); // it rises to its place
    const box = await menu.boundingBox();
    check(box.y >= 0 && box.y + box.height <= 360, `the menu ends at ${box.y + box.height}`);
    await page.locator('.menu-item').last().scrollIntoViewIfNeeded();
    equal(await notSeen(page, '.menu-item:last-of-type'), [], 'what is not seen');
  });
  for (const size of ['a phone of 320', 'a phone of 360', 'a phone held sideways', 'a laptop of 1366'])
    await at(`every language of the menu is read whole on ${size}`, size, scene(), async (page) => {
      await page.goto(`${origin}/wallet`);
      await page.locator('header.top [data-dropdown-menu-trigger]').click();
      await page.locator('.menu-item[aria-haspopup]').click();
      const menu = page.locator('[role=menu]').last();
      await menu.getByText('Deutsch').waitFor();
      await menu.evaluate((el) => Promise.all(el.getAnimations().map(({ finished }) => finished)));
      const { x, y, width, height } = await menu.boundingBox();
      const window = page.viewportSize();
      check(x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height, `it lies at ${x}, ${y}, ${width} wide, ${height} high`);
    });
  await closePages();
}

async function chosen(browser, origin) {
  await test('a stranger is greeted in the language of the browser, chooses another, and finds it again', async () => {
    const { context, page, errors } = await openPage(browser, { locale: 'sr-RS', ...PHONE });
    const catalogs = [];
    page.on('request', (request) => {
      const [, tag] = /\/assets\/(en|de|fr|hi|sr-Latn|sr-Cyrl|en-XA|ar-XB)-[^/]*\.js$/.exec(request.url()) ?? [];
      if (tag) catalogs.push(tag);
    });
    await page.route('**/v1/**', (route) => route.fulfill({ status: 404, json: { code: 'not_found', status: 404, title: 'Not found' } }));
    await page.goto(origin);
    await page.getByText('Igraj odmah').waitFor();
    await page.getByRole('button', { name: 'Jezik: Srpski' }).click();
    const choices = page.getByRole('menuitemradio');
    await choices.first().waitFor(); // its file is fetched at the click
    const offered = await choices.evaluateAll((all) => all.map((el) => el.lang));
    equal(offered, Object.keys(LOBBY), 'languages that are offered');
    await choices.filter({ hasText: 'हिन्दी' }).click();
    await page.getByText('अभी खेलें').waitFor();
    equal(await spoken(page), ['hi', 'ltr'], 'lang and dir');
    equal([...new Set(catalogs)], ['sr-Latn', 'hi'], 'languages that were fetched');
    equal(catalogs.length, 4, 'their files: what is said first, and later');
    await page.reload();
    await page.getByText('अभी खेलें').waitFor();
    await fontsCome(page);
    equal(errors, [], 'errors of the page');
    await context.close();
  });
  await test('the language is chosen in the menu, and the account has it too', async () => {
    const site = await new Site().open(browser, origin, { viewport: { width: 1366, height: 768 } });
    const told = [];
    const changes = [];
    site.page.on('request', (request) => {
      if (request.url().includes('/v1/')) told.push(request.headers()['accept-language']);
      if (request.method() === 'PATCH') changes.push([new URL(request.url()).pathname, request.postDataJSON()]);
    });
    await site.goto('/wallet');
    await site.page.getByRole('button', { name: /^Menu of/ }).click();
    await site.page.getByRole('menuitem', { name: /^Language/ }).press('ArrowRight');
    await site.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await site.page.getByRole('link', { name: 'Lobby' }).click();
    await until(() => told.at(-1) === 'de', 'the server was not told');
    equal(await spoken(site.page), ['de', 'ltr'], 'lang and dir');
    equal(changes, [['/v1/me', { language: 'de' }]], 'what was changed');
    site.clean();
    await site.context.close();
  });
}

/** A stranger's browser signs in; the account speaks French. */
async function signsIn(browser, origin, work) {
  const site = await new Site().open(browser, origin, { stranger: true, viewport: { width: 1366, height: 768 } });
  const { page } = site;
  const player = { ...ME, kind: 'registered', language: 'fr' };
  const session = { access_token: 'a', expires_in: 900, refresh_token: 'r', player };
  const enter = async (button) => {
    await page.locator('input[type=email]').fill('mia@example.org');
    await page.locator('input[type=password]').fill('seven sleeping camels');
    await page.getByRole('button', { name: button, exact: true }).click();
  };
  site.begin({ ...ANSWERS, '/v1/me': player, '/v1/auth/login': session, '/v1/auth/logout': '' });
  await site.goto('/');
  await work({ page, enter });
  site.clean();
  await site.context.close();
}

async function ofAccount(browser, origin) {
  const lang = (page, tag) => page.locator(`html[lang=${tag}]`).waitFor();
  await test('a browser in which no language was chosen takes that of the account, until it signs out', () =>
    signsIn(browser, origin, async ({ page, enter }) => {
      await page.getByText('Sign in', { exact: true }).first().click();
      await enter('Sign in');
      await page.getByRole('heading', { name: LOBBY.fr }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: LOBBY.fr }).waitFor();
      await page.locator('header.top [data-dropdown-menu-trigger]').click();
      await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
      await page.locator('input').first().waitFor();
      await page.reload();
      await lang(page, 'en');
    }));
  await test('a language that was chosen stays when somebody signs in', () =>
    signsIn(browser, origin, async ({ page, enter }) => {
      await page.getByRole('button', { name: 'Language: English' }).click();
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      await page.getByText('Anmelden', { exact: true }).first().click();
      await enter('Anmelden');
      await page.getByRole('heading', { name: LOBBY.de }).waitFor();
      await lang(page, 'de');
    }));
}

export async function languageTests(browser, origin) {
  await chosen(browser, origin);
  await ofAccount(browser, origin);
  await pagesFit(browser, origin);
  await tablesFit(browser, origin);
  await longWords(browser, origin);
}
