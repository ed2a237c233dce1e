/* The language of the page: selected by the browser's preference and by hand, stored, and with space for long
 * words. Without a server. The walk (screens/walk.spec.mjs) covers every page in each language. */
import { ANSWERS } from '../lib/answers.mjs';
import { closePages, hiddenPiles, leave, notSeen, onPage, PHONE, settled, SIZES } from '../lib/board.mjs';
import { fontsCome, openPage, turnTo } from '../lib/browser.mjs';
import { check, equal, LONG, until } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { MOMENTS, showMoment } from '../lib/moments.mjs';
import { Site } from '../lib/site.mjs';
import { ME, scene } from '../lib/stage.mjs';
import { answerFor } from '../lib/static.mjs';
import { LANGUAGES, OFFERED, SHOWN, textsOf } from '../lib/texts.mjs';

/** The heading of the lobby. */
const lobbyIn = (tag) => textsOf(tag)['page.lobby'];

const speak = (page, tag) =>
  page.evaluate((t) => localStorage.setItem('rummyd:language', JSON.stringify(t)), tag);
const spoken = (page) => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]);

/** German words are long; texts next to each other or above the hand must fit. */
function longWords() {
  const at = (name, size, snapshot, work) =>
    test(name, () =>
      onPage(SIZES[size], snapshot, async (page, stage) => {
        await speak(page, 'de');
        await work(page, stage);
      }),
    );
  const show = (page, stage, name) => showMoment(page, stage, here.origin, MOMENTS[name]);
  at('the list of keys fits a phone', 'a phone of 360', scene(), async (page, stage) => {
    await show(page, stage, 'keys');
    equal(
      await page.locator('.modal').evaluate((el) => el.scrollWidth - el.clientWidth),
      0,
      'what is too wide',
    );
  });
  at(
    'how a hand ended for each fits a phone',
    'a phone of 360',
    MOMENTS['hand-end'].snapshot,
    async (page, stage) => {
      await show(page, stage, 'hand-end');
      const cut = await page
        .locator('.scores .nick')
        .evaluateAll((all) => all.filter((el) => el.scrollWidth > el.clientWidth).map((el) => el.innerText));
      equal(cut, [], 'what is cut');
    },
  );
  for (const [path, size] of ['/learn', '/learn/points'].flatMap((path) => [
    [path, 'a phone held sideways'],
    [path, 'a small phone held sideways'],
  ]))
    at(`the guide’s words at ${path} are not under the hand on ${size}`, size, scene(), async (page) => {
      await page.goto(here.origin + path);
      await page.locator('[data-guided]').first().waitFor();
      await settled(page);
      const under = await page.evaluate(
        () =>
          document.querySelector('.guide').getBoundingClientRect().bottom -
          document.querySelector('.mine').getBoundingClientRect().top,
      );
      check(under <= 0.5, `${under} px are under the own side`);
    });
  at(
    'every item of the menu is reached on a phone held sideways',
    'a small phone held sideways',
    scene(),
    async (page) => {
      await page.goto(`${here.origin}/wallet`);
      await page.locator('header.top [data-dropdown-menu-trigger]').click();
      const menu = page.locator('[role=menu]');
      await menu.waitFor();
      // an animation moves it into place
      await menu.evaluate((el) => Promise.all(el.getAnimations().map(({ finished }) => finished)));
      const box = await menu.boundingBox();
      check(box.y >= 0 && box.y + box.height <= 360, `the menu ends at ${box.y + box.height}`);
      await page.locator('.menu-item').last().scrollIntoViewIfNeeded();
      equal(await notSeen(page, '.menu-item:last-of-type'), [], 'what is not seen');
    },
  );
  const others = LONG ? ['a phone of 360', 'a laptop of 1366'] : [];
  for (const size of ['a phone of 320', 'a phone held sideways', ...others])
    at(`every language of the menu is read whole on ${size}`, size, scene(), async (page) => {
      await page.goto(`${here.origin}/wallet`);
      await page.locator('header.top [data-dropdown-menu-trigger]').click();
      await page.locator('.menu-item[aria-haspopup]').click();
      const menu = page.locator('[role=menu]').last();
      await menu.getByText('Deutsch').waitFor();
      await menu.evaluate((el) => Promise.all(el.getAnimations().map(({ finished }) => finished)));
      const { x, y, width, height } = await menu.boundingBox();
      const window = page.viewportSize();
      check(
        x >= 0 && y >= 0 && x + width <= window.width && y + height <= window.height,
        `it lies at ${x}, ${y}, ${width} wide, ${height} high`,
      );
    });
}

/** The language with the longest texts at the piles and above the hand. */
const LONGEST = 'fr';

/** Six players in the smallest window, with the text of each language above the hand: all moments in the
 * language with the longest texts, and one in each other language (in the long form all). */
function crowds() {
  const { indian, 'indian-draw': draw, declared } = MOMENTS;
  const all = Object.entries({ indian, draw, declared });
  for (const [nth, tag] of SHOWN.entries())
    test(`the piles and their labels are not covered on a phone of 320 in ${tag}`, () =>
      onPage(SIZES['a phone of 320'], scene(), async (page, stage) => {
        await speak(page, tag);
        await page.goto(`${here.origin}/nosuch`); // applies the language
        for (const [name, moment] of LONG || tag === LONGEST ? all : [all[nth % all.length]]) {
          stage.begin(moment.snapshot);
          await leave(page);
          await showMoment(page, stage, here.origin, moment, (path) => turnTo(page, path));
          await settled(page);
          await fontsCome(page);
          equal(await hiddenPiles(page), [], `what is covered: ${name}`);
          const wide = await page
            .locator('[data-seat]')
            .evaluateAll((all) =>
              all.filter((el) => el.scrollWidth > el.clientWidth + 1).map((el) => el.innerText),
            );
          equal(wide, [], `seats that are too wide: ${name}`);
        }
      }));
}

function chosen() {
  test('a stranger is greeted in the language of the browser, chooses another, and finds it again', async () => {
    const { context, page, errors } = await openPage(here.browser, { locale: 'sr-RS', ...PHONE });
    const catalogs = [];
    page.on('request', (request) => {
      const [, tag] = /\/assets\/([\w-]+)-(?:entrance|first|later)-[^/]*\.js$/.exec(request.url()) ?? [];
      if (LANGUAGES.includes(tag)) catalogs.push(tag);
    });
    await answerFor(page, () => ({
      status: 404,
      json: { code: 'not_found', status: 404, title: 'Not found' },
    }));
    await page.goto(here.origin);
    await page.getByText('Igraj odmah').waitFor();
    await page.getByRole('button', { name: 'Jezik: Srpski' }).click();
    const choices = page.getByRole('menuitemradio');
    await choices.first().waitFor(); // its file is loaded at the click
    const offered = await choices.evaluateAll((all) => all.map((el) => el.lang));
    equal(offered.toSorted(), OFFERED.toSorted(), 'languages that are offered');
    const names = await choices.evaluateAll((all) => all.map((el) => el.innerText.replace('✓', '').trim()));
    equal(names, names.toSorted(new Intl.Collator('en').compare), 'their order');
    await choices.filter({ hasText: 'हिन्दी' }).click();
    await page.getByText('अभी खेलें').waitFor();
    equal(await spoken(page), ['hi', 'ltr'], 'lang and dir');
    equal([...new Set(catalogs)], ['sr-Latn', 'hi'], 'languages that were fetched');
    equal(catalogs.length, 6, 'their files: entrance, first texts, and the rest, each');
    await page.reload();
    await page.getByText('अभी खेलें').waitFor();
    await fontsCome(page);
    equal(errors, [], 'errors of the page');
    await context.close();
  });
  test('the language is chosen in the menu, and the account has it too', async () => {
    const site = await new Site().open(here.browser, here.origin, { viewport: { width: 1366, height: 768 } });
    const told = [];
    const changes = [];
    site.page.on('request', (request) => {
      if (request.url().includes('/v1/')) told.push(request.headers()['accept-language']);
    });
    const me = (request) => {
      if (request.method() === 'PATCH') changes.push(request.postDataJSON());
      return ANSWERS['/v1/me'];
    };
    site.begin({ ...ANSWERS, '/v1/me': me });
    await site.goto('/wallet');
    await site.page.getByRole('button', { name: /^Menu of/ }).click();
    await site.page.getByRole('menuitem', { name: /^Language/ }).press('ArrowRight');
    await site.page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
    await site.page.getByRole('link', { name: 'Lobby' }).click();
    await until(() => told.at(-1) === 'de', 'the server was not told');
    equal(await spoken(site.page), ['de', 'ltr'], 'lang and dir');
    equal(changes, [{ language: 'de' }], 'what was changed');
    site.clean();
    await site.context.close();
  });
}

/** A visitor signs in; the account's language is French. */
async function signsIn(work) {
  const site = await new Site().open(here.browser, here.origin, {
    stranger: true,
    viewport: { width: 1366, height: 768 },
  });
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

function ofAccount() {
  const lang = (page, tag) => page.locator(`html[lang=${tag}]`).waitFor();
  test('a browser in which no language was chosen takes that of the account, until it signs out', () =>
    signsIn(async ({ page, enter }) => {
      await page.getByText('Sign in', { exact: true }).first().click();
      await enter('Sign in');
      await page.getByRole('heading', { name: lobbyIn('fr') }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: lobbyIn('fr') }).waitFor();
      await page.locator('header.top [data-dropdown-menu-trigger]').click();
      await page.getByRole('menuitem', { name: 'Se déconnecter' }).click();
      await page.locator('input').first().waitFor();
      await page.reload();
      await lang(page, 'en');
    }));
  test('a chosen language persists after sign-in', () =>
    signsIn(async ({ page, enter }) => {
      await page.getByRole('button', { name: 'Language: English' }).click();
      await page.getByRole('menuitemradio', { name: 'Deutsch' }).click();
      await page.getByText('Anmelden', { exact: true }).first().click();
      await enter('Anmelden');
      await page.getByRole('heading', { name: lobbyIn('de') }).waitFor();
      await lang(page, 'de');
    }));
}

chosen();
ofAccount();
longWords();
crowds();
test.afterAll(closePages);
