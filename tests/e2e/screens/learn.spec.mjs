/* Learning at the table: its rules, and the coach, on the built page with a fixed scene and no server behind it. With
 * PICTURES=DIR a picture of each. */
import { violations } from '../lib/axe.mjs';
import { atTable, lastOf, SIZES } from '../lib/board.mjs';
import { openPage } from '../lib/browser.mjs';
import { check, equal, LONG } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { answerLegal, practice } from '../lib/moments.mjs';
import { scene } from '../lib/stage.mjs';
import { pause } from '../lib/ways.mjs';

const WINDOWS = ['a phone of 360', 'a phone held sideways', 'a laptop of 1366'];

async function picture(page, name) {
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/learn-${name.replaceAll(' ', '-')}.png` });
}

async function inMenu(page, item) {
  await page.locator('.table-bar [data-dropdown-menu-trigger]').click();
  await page.locator('.menu-item', { hasText: item }).click();
}

/* The steps of the guided hand of Rummy 51: the cards to tap, and what then. */
const GUIDED = [
  [[], '[data-anchor="stock"]'],
  [['5D1'], '[data-anchor="discard"]'],
  [[], '[data-anchor="discard"]'],
  [['7S1', '8S1', '9S1', 'TS1'], 'Lay meld'],
  [['KD1', 'KC1', 'KH1'], 'Lay meld'],
  [['9D1'], '[data-anchor="discard"]'],
  [[], '[data-anchor="stock"]'],
  [['6H1'], '[data-meld="0"]'],
  [['QS1', 'QC1', 'X1'], 'Lay meld'],
  [['2C1', '3C1', '4C1'], 'Lay meld'],
  [['7H1'], '[data-meld="0"]'],
  [['JD1'], '[data-anchor="discard"]'],
];

const INDIAN = [
  [[], '[data-anchor="stock"]'],
  [['KD1'], '[data-anchor="discard"]'],
  [[], '[data-anchor="discard"]'],
  [[], 'Arrange', ['5D2'], 'Declare'],
];

const OF_51 = { path: '/learn', steps: GUIDED, game: 'Rummy 51' };

/** The rest of a card lies under its neighbour. */
const AT_ITS_EDGE = { position: { x: 8, y: 24 } };

/** Plays it as `press` presses, in a browser that has never been here, and then the same game against a bot. */
async function guided(options, press, { path, steps, game } = OF_51) {
  const { context, page, errors } = await openPage(here.browser, { reducedMotion: 'reduce', ...options });
  try {
    await page.route('**/v1/**', (route) => route.abort());
    await page.goto(here.origin + path);
    for (const [number, [cards, target]] of steps.entries()) {
      await page.getByText(`${number + 1} of ${steps.length}`).waitFor();
      await page.locator('[data-guided]').first().waitFor();
      if (number === 1 && steps === GUIDED) {
        await press(page.locator('.hand [data-card="2C1"]'), AT_ITS_EDGE);
        await pause(page); // a second tap at once never throws
        await press(page.locator('[data-anchor="discard"]'));
        await page.getByText('Not yet.').waitFor();
        await press(page.locator('.hand [data-card="2C1"]'), AT_ITS_EDGE);
        equal(await violations(page), [], 'axe');
        await picture(page, `guide-${options.viewport.width}`);
      }
      for (const name of cards) await press(page.locator(`.hand [data-card="${name}"]`), AT_ITS_EDGE);
      await pause(page);
      const [, , more = [], last] = steps[number];
      await press(
        target.startsWith('[')
          ? page.locator(target)
          : page.locator('.buttons').getByRole('button', { name: target }),
      );
      for (const name of more) await press(page.locator(`.hand [data-card="${name}"]`), AT_ITS_EDGE);
      if (last) await pause(page); // nor declares
      if (last) await press(page.locator('.buttons').getByRole('button', { name: last }));
    }
    await page.getByRole('link', { name: 'Play with bots now' }).waitFor();
    await picture(page, `guide${path.replaceAll('/', '-')}-end-${options.viewport.width}`);
    await press(page.getByRole('link', { name: 'Play with bots now' }));
    await page.waitForURL('**/practice');
    await page.locator('.hand [data-card]').first().waitFor();
    equal(await page.getByRole('heading', { level: 1 }).innerText(), game, 'the game that is dealt');
    equal(errors, [], 'errors of the page');
  } finally {
    await context.close();
  }
}

test('the guided hand is played to its end by touch at 360 px, with no server', () =>
  guided({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, (what, at) =>
    what.tap(at),
  ));
test('that of an Indian game by mouse at 1366', () =>
  guided({ viewport: { width: 1366, height: 768 } }, (what, at) => what.click(at), {
    path: '/learn/points',
    steps: INDIAN,
    game: 'Points rummy',
  }));
if (LONG)
  test('and by mouse at 844×390', () =>
    guided({ viewport: { width: 844, height: 390 } }, (what, at) => what.click(at)));
for (const size of WINDOWS) {
  const options = SIZES[size];
  test(`the rules at the table, ${size}`, () =>
    atTable(
      async (page) => {
        await inMenu(page, 'Rules');
        const rules = page.locator('.rulebook');
        await rules.waitFor();
        const words = await rules.innerText();
        check(/at least 60 points/.test(words), 'the changed minimum is not in the rules');
        check((await rules.locator('svg.face').count()) > 10, 'no pictures of cards');
        const wide = await page.evaluate(() => {
          const box = document.querySelector('.modal');
          return box.scrollWidth - box.clientWidth;
        });
        check(wide <= 1, `the rules are ${wide} px too wide`);
        await picture(page, `rules ${size}`);
      },
      { options, snapshot: { ...scene(), params: { opening_min: 60 } } },
    ));
  test(`the coach says what to throw and why, ${size}`, () =>
    atTable(
      async (page, stage) => {
        answerLegal(
          stage,
          stage.snapshot.hand.filter((name) => !name.startsWith('X')),
        );
        await inMenu(page, 'Coach');
        const coach = page.locator('.coach');
        await coach.waitFor();
        check(/^Discard: /m.test(await coach.innerText()), `it says: ${await coach.innerText()}`);
        await picture(page, `coach ${size}`);
        const covered = await page.evaluate(() => {
          const box = document.querySelector('.advice').getBoundingClientRect();
          const off = (r) =>
            r.right <= box.left || r.left >= box.right || r.bottom <= box.top || r.top >= box.bottom;
          return ['[data-anchor="stock"]', '[data-anchor="discard"]'].filter((pile) => {
            const found = document.querySelector(pile);
            return !found || !off(found.getBoundingClientRect());
          });
        });
        equal(covered, [], 'piles under the coach');
        await coach.locator('button').click();
        await lastOf(stage, 'discard');
        equal(stage.commands('discard').length, 1, 'discards that were sent');
      },
      { options, snapshot: practice() },
    ));
}
test('the rules of every game are read without an account, on a phone', async () => {
  const { context, page, errors } = await openPage(here.browser, SIZES['a phone of 360']);
  try {
    await page.route('**/v1/**', (route) => route.fulfill({ status: 401, json: { code: 'unauthorized' } }));
    await page.goto(`${here.origin}/rules`);
    await page.locator('[data-variant]').first().waitFor();
    const ids = await page.locator('[data-variant]').evaluateAll((all) => all.map((a) => a.dataset.variant));
    equal(ids.length, 10, 'games');
    await picture(page, 'rules index');
    for (const id of ids) {
      await page.locator(`[data-variant="${id}"]`).click();
      await page.locator('.rulebook h2').first().waitFor();
      check(page.url().endsWith(`/rules/${id}`), `at ${page.url()}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(over <= 0, `${id}: ${over} px too wide`);
      if (id === 'pool101') await picture(page, 'rules pool101');
      await page.goBack();
      await page.locator('[data-variant]').first().waitFor();
    }
    equal(
      errors.filter((line) => !/401/.test(line)),
      [],
      'errors of the page',
    );
  } finally {
    await context.close();
  }
});
test('no coach where chips are at stake', () =>
  atTable(async (page) => {
    await page.locator('.table-bar [data-dropdown-menu-trigger]').click();
    await page.locator('.menu-item').first().waitFor();
    equal(await page.locator('.menu-item', { hasText: 'Coach' }).count(), 0, 'switches');
  }));
