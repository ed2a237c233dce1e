/* The player's settings: they take effect immediately and at the next visit, whatever a browser has stored,
 * and the gains of a win are announced and counted up. At a table of a fixed scene, without a server.
 * E2E_SHOTS is the folder for screenshots. */
import { join } from 'node:path';
import { ANSWERS } from '../lib/answers.mjs';
import {
  closePages,
  card,
  cutTexts,
  hiddenCards,
  lastOf,
  LAPTOP,
  MOVING,
  noSideways,
  onPage,
  PHONE,
  settled,
  SIZES,
} from '../lib/board.mjs';
import { turnTo } from '../lib/browser.mjs';
import { check, counted, equal, short, until } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { ends } from '../lib/moments.mjs';
import { Site } from '../lib/site.mjs';
import { ME, scene } from '../lib/stage.mjs';
import { pause } from '../lib/ways.mjs';

const DISCARD = '.pile.discard';
const DIALOG = '.modal';
const WINDOWS = {
  'a phone': PHONE,
  'a phone held sideways': SIZES['a phone held sideways'],
  'a laptop': LAPTOP,
};

async function at(options, settings, work) {
  await onPage(options, scene(), async (page, stage) => {
    await page.evaluate(
      (kept) => kept !== null && localStorage.setItem('rummyd:settings', kept),
      settings && JSON.stringify(settings),
    );
    await page.goto(`${here.origin}/table/917`);
    await page.waitForSelector(card('AH1'));
    await settled(page);
    await work(page, stage);
  });
}

async function openSettings(page) {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('dialog', { name: 'Settings' }).waitFor();
}

async function picture(page, name) {
  if (process.env.E2E_SHOTS) await page.screenshot({ path: join(process.env.E2E_SHOTS, `feel-${name}.png`) });
}

const kept = (page) => page.evaluate(() => JSON.parse(localStorage.getItem('rummyd:settings')));
const onRoot = (page) =>
  page.evaluate(() => Object.fromEntries(Object.entries(document.documentElement.dataset).sort()));
const handWidth = async (page) => (await page.locator(card('AH1')).boundingBox()).width;

function dialogTests() {
  test('settings act at once, and after a reload', () =>
    at(LAPTOP, null, async (page) => {
      const before = await handWidth(page);
      await openSettings(page);
      for (const name of ['Light', 'Large', 'Waves', 'Green felt', 'Quick'])
        await page.getByText(name, { exact: true }).click();
      for (const name of [/Four-color/, /Left-handed/, /Sort drawn cards/, /Confirm discards/, /^Emotes/])
        await page.getByRole('switch', { name }).click();
      await page.getByRole('slider', { name: 'Volume' }).fill('2');
      await page.getByText('Waves', { exact: true }).hover();
      const look = { fourColour: '', leftHanded: '', look: 'light', speed: 'quick', theme: 'felt' };
      equal(await onRoot(page), look, 'what the style sheets read');
      const set = {
        volume: 2,
        vibration: true,
        cardSize: 'large',
        back: 'waves',
        theme: 'felt',
        look: 'light',
        fourColour: true,
      };
      equal(
        await kept(page),
        {
          ...set,
          leftHanded: true,
          confirmThrow: true,
          sortDrawn: true,
          speed: 'quick',
          emotes: false,
          coach: false,
        },
        'what is kept',
      );
      await page.reload();
      await page.waitForSelector(card('AH1'));
      await settled(page);
      equal(await onRoot(page), look, 'what the style sheets read after a reload');
      check((await handWidth(page)) > before * 1.1, 'the cards did not grow');
      equal(
        await page.locator('.stock use').first().getAttribute('href'),
        '#back-waves',
        'the back of a card',
      );
      await picture(page, '1440-felt');
    }));
  test('a stranger sets them before they enter', () =>
    onPage(LAPTOP, scene(), async (page) => {
      await page.addInitScript(
        () => sessionStorage.getItem('stranger') && localStorage.removeItem('rummyd:session'),
      );
      await page.evaluate(() => sessionStorage.setItem('stranger', '1'));
      await page.goto(`${here.origin}/`);
      await page.getByRole('button', { name: 'Settings' }).click();
      await page.getByText('Slate', { exact: true }).click();
      equal((await onRoot(page)).theme, 'slate', 'the theme');
      await turnTo(page, '/rules');
      await page.locator(DIALOG).waitFor({ state: 'detached' }); // leaving the page also closes the settings
      await page.evaluate(() => sessionStorage.clear());
    }));
  for (const [name, options] of Object.entries(short(WINDOWS, 'a phone held sideways')))
    test(`the settings on ${name} are whole`, () =>
      at(options, null, async (page) => {
        await openSettings(page);
        equal(await cutTexts(page), [], 'what is cut');
        await picture(page, `settings-${name.replaceAll(' ', '-')}`);
        await page.locator(DIALOG).evaluate((el) => el.scrollTo(0, el.scrollHeight));
        await picture(page, `settings-${name.replaceAll(' ', '-')}-end`);
        await page.keyboard.press('Escape');
        await page.locator(DIALOG).waitFor({ state: 'detached' });
      }));
}

const HOSTILE = {
  volume: 1e9,
  cardSize: 'huge',
  back: 'x" onload="alert(1)',
  theme: '<b>',
  look: 'dusk',
  leftHanded: 'yes',
  confirmThrow: 1,
  speed: {},
  emotes: null,
  more: 1,
};

function lookTests() {
  test('corrupt or hostile values change nothing', () =>
    at(LAPTOP, HOSTILE, async (page) => {
      equal(
        await onRoot(page),
        { look: 'dark', speed: 'normal', theme: 'carpet' },
        'what the style sheets read',
      );
      equal(
        await page.locator('.stock use').first().getAttribute('href'),
        '#back-lattice',
        'the back of a card',
      );
    }));
  for (const [name, options] of Object.entries(short(SIZES, 'a phone of 320', 'a small phone held sideways')))
    test(`large cards and buttons on the left: the own hand is seen on ${name}`, () =>
      at(options, { cardSize: 'large', leftHanded: true, theme: 'lagoon', back: 'stars' }, async (page) => {
        equal(await hiddenCards(page), [], 'cards that are hidden');
        await noSideways(page);
        await picture(page, `large-left-${options.viewport.width}`);
      }));
  test('for left-handed players the buttons stand left of their seat', () =>
    at(LAPTOP, { leftHanded: true }, async (page) => {
      const [seat, buttons] = await Promise.all(
        ['.seat.mine', '.rail .buttons'].map((s) => page.locator(s).boundingBox()),
      );
      check(buttons.x + buttons.width <= seat.x, 'the buttons stand on the right');
    }));
}

function throwTests() {
  const asks = { confirmThrow: true };
  const threw = (stage) => stage.commands('discard').map((c) => c.d.cards);
  test('a throw that is to be confirmed is thrown by the button', () =>
    at(PHONE, asks, async (page, stage) => {
      await page.click(card('4C2'), { position: { x: 6, y: 16 } });
      await pause(page); // a quick second tap does not discard
      await page.click(DISCARD);
      const asked = page.getByRole('group', { name: 'Discard this card?' });
      await asked.waitFor();
      equal(threw(stage), [], 'what was thrown unasked');
      await asked.getByRole('button', { name: /^Discard/ }).click();
      await lastOf(stage, 'discard');
      equal(threw(stage), [['4C2']], 'what was thrown');
    }));
  test('by the same key once more; another card is another question', () =>
    at(LAPTOP, asks, async (page, stage) => {
      await page.click(card('4C2'), { position: { x: 6, y: 16 } });
      await page.keyboard.press('t');
      await page.getByRole('group', { name: 'Discard this card?' }).waitFor();
      await page.click(card('4C2'), { position: { x: 6, y: 16 } });
      await page.click(card('TH1'), { position: { x: 6, y: 16 } });
      await page.keyboard.press('t');
      await page.getByRole('group', { name: 'Discard this card?' }).waitFor();
      equal(threw(stage), [], 'what was thrown unasked');
      await page.keyboard.press('t');
      await lastOf(stage, 'discard');
      equal(threw(stage), [['TH1']], 'what was thrown');
    }));
  test('with emotes off, seats show chat only', () =>
    at(LAPTOP, { emotes: false }, async (page, stage) => {
      const said = { seat: 2, at: '2026-11-24T10:00:00.000Z' };
      stage.send({ t: 'emote', d: { ...said, id: '1', name: 'thanks' } });
      stage.send({ t: 'chat', d: { ...said, id: '2', text: 'Good evening' } });
      await page.locator('.said-bubble', { hasText: 'Good evening' }).waitFor();
      equal(await page.locator('.said-bubble').allInnerTexts(), ['Good evening'], 'what is said');
      equal(
        await page.getByRole('log').locator('p').last().textContent(),
        'Aurelia Longname: Good evening',
        'what is read out',
      );
    }));
}

const ENDED = '2026-11-24T10:00:00.123Z';
const achievement = (id, at, data) => ({ id, at, kind: 'achievement', data, read: false });
const TOLD = [
  achievement('10', ENDED, { id: 'win_streak_3', counter: 'win_streak', goal: 3, gold: 15 }),
  achievement('9', ENDED, { id: 'first_win', counter: 'wins', goal: 1, gold: 10 }),
  achievement('8', '2026-11-23T10:00:00.000Z', { id: 'first_game', counter: 'games', goal: 1, gold: 5 }),
];

async function won(page, stage) {
  const after = {
    ...ME,
    rating: { value: 7912, games: 21 },
    level: 4,
    level_points: 40,
    level_points_needed: 300,
  };
  stage.more = {
    '/v1/games/31': { id: '31', ended_at: ENDED },
    '/v1/notifications': { items: TOLD, next: null },
    '/v1/me': after,
  };
  ends(stage);
  await page.locator('[data-gain]').waitFor();
  await page.locator('[data-earned=first_win]').waitFor();
  await page.locator('[data-gain]').getByText('7912').waitFor();
}

function resultTests() {
  for (const [name, options] of Object.entries(short(WINDOWS, 'a phone held sideways')))
    test(`all that was won is counted up and celebrated on ${name}`, () =>
      at({ ...options, ...MOVING }, null, async (page, stage) => {
        await won(page, stage);
        check((await page.locator('.confetti svg').count()) > 0, 'a win is not celebrated');
        equal(
          await page.locator('[data-earned]').evaluateAll((all) => all.map((el) => el.dataset.earned)),
          ['win_streak_3', 'first_win'],
          'achievements',
        );
        equal(
          (await page.locator('[data-gain] .chips').allInnerTexts()).map((t) => parseInt(t)),
          [30, 4, 100],
          'chips and clover',
        );
        await page.locator('[data-gain]').getByText('+42').waitFor();
        for (const text of ['Level 4', 'Turtle', '+15', 'Your purse can hold more silver now.'])
          await page.locator('[data-level-up="4"]').getByText(text).waitFor();
        await page.getByText('Your purse is full.').waitFor();
        await noSideways(page);
        await picture(page, `won-${name.replaceAll(' ', '-')}`);
      }));
  test('without motion a win shows its amounts at once, and nothing falls', () =>
    at(LAPTOP, { speed: 'off' }, async (page, stage) => {
      await won(page, stage);
      equal(await page.locator('.confetti svg').count(), 0, 'what falls');
    }));
}

/** Title, buttons, and links of the result that a toast covers. */
const covered = (page) =>
  page.evaluate(() => {
    const toast = document.querySelector('[data-toast]').parentElement.getBoundingClientRect();
    const under = (el) => {
      const r = el.getBoundingClientRect();
      return r.x < toast.right && r.right > toast.x && r.y < toast.bottom && r.bottom > toast.y;
    };
    return [...document.querySelectorAll('.modal h2, .modal button, .modal a')]
      .filter(under)
      .map((el) => el.ariaLabel ?? el.innerText);
  });

function toastTests() {
  for (const [name, options] of Object.entries(short(WINDOWS, 'a phone')))
    test(`achievements appear above the result and cover neither its title nor a button, on ${name}`, () =>
      at(options, null, async (page, stage) => {
        const asked = [];
        const note = (request) =>
          /\/v1\/(games|notifications)/.test(request.url()) && asked.push(new URL(request.url()).pathname);
        page.on('request', note);
        await won(page, stage);
        const toast = page.getByRole('status').locator('[data-toast]');
        await page.locator('[data-toast=win_streak_3]').waitFor();
        equal(await toast.count(), 1, 'toasts at once');
        equal(
          await toast.innerText(),
          await page.locator('[data-earned=win_streak_3]').innerText(),
          'what is told',
        );
        equal(await covered(page), [], 'what is below it');
        equal(await cutTexts(page), [], 'what is cut');
        await noSideways(page);
        await picture(page, `toast-${name.replaceAll(' ', '-')}`);
        await page.keyboard.press('Escape');
        await page.locator(DIALOG).waitFor({ state: 'detached' });
        equal(await toast.count(), 0, 'toasts over the table');
        await page.getByRole('button', { name: 'Result' }).click();
        await page.locator('[data-toast=win_streak_3]').waitFor();
        // toasts appear one after another
        if (options === LAPTOP) await page.locator('[data-toast=first_win]').waitFor();
        equal(await toast.count(), 1, 'toasts at once');
        await counted(page.locator('[data-earned]'), 2, 'what the result lists');
        equal(asked.sort(), ['/v1/games/31', '/v1/games/31/record', '/v1/notifications'], 'what was asked');
        page.off('request', note);
      }));
}

/** In the page: every number that a streak has shown. */
function noteStreak() {
  window.streaks = [];
  const note = () => {
    const shown = document.querySelector('.streak strong')?.textContent;
    if (shown !== undefined && shown !== window.streaks.at(-1)) window.streaks.push(shown);
  };
  new MutationObserver(note).observe(document, { subtree: true, childList: true, characterData: true });
}

function countTests() {
  for (const [reducedMotion, least] of [
    ['no-preference', 3],
    ['reduce', 1],
  ])
    test(`a streak ${reducedMotion === 'reduce' ? 'is there at once without motion' : 'counts up when it is first seen'}`, async () => {
      const site = await new Site().open(here.browser, here.origin, { ...LAPTOP, ...MOVING, reducedMotion });
      const days = 14;
      const wallet = { ...ANSWERS['/v1/wallet'], bonus: { ...ANSWERS['/v1/wallet'].bonus, streak: days } };
      site.begin({ ...ANSWERS, '/v1/wallet': wallet });
      await site.page.addInitScript(noteStreak);
      await site.goto('/wallet');
      const seen = await until(async () => {
        const all = (await site.page.evaluate(() => window.streaks)).map(Number);
        return all.at(-1) === days && all;
      }, 'the streak did not reach its days');
      check(seen.length >= least && (least > 1 || seen.length <= 2), `shown: ${seen}`);
      equal(
        seen,
        [...seen].sort((a, b) => a - b),
        'numbers in their order',
      );
      site.clean();
      await site.context.close();
    });
}

for (const tests of [dialogTests, lookTests, throwTests, resultTests, toastTests, countTests]) tests();
test.afterAll(closePages);
