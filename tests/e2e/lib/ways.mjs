/* Ways to play through the page: a window and an input method. Each has the same methods: act (on a button
 * or a pile; `key` is its shortcut), group, discard. */
import { SIZES } from './browser.mjs';

/** A tap within this time after another one does not discard or declare (web/src/lib/board/taps.ts). */
const SECOND_TAP_MS = 400;

/** Waits until a tap no longer counts as a second one, by the clock of the page. */
export async function pause(page) {
  const from = await page.evaluate(() => performance.now());
  await page.waitForFunction((until) => performance.now() >= until, from + SECOND_TAP_MS, { polling: 50 });
}

const named = (card) => `.hand [data-card="${card}"]`;

/** Selects cards by keyboard, which hits the right one even on the slowest machine. */
const byKeys = {
  async group(page, cards) {
    await page.keyboard.press('Escape');
    for (const card of cards) {
      await page.focus(named(card));
      await page.keyboard.press('Space');
    }
    await page.keyboard.press('g');
  },
  async discard(page, card) {
    await page.keyboard.press('Escape');
    await page.focus(named(card));
    await page.keyboard.press('t');
  },
};

const mouse = { ...byKeys, act: (_, what) => what.click() };

/** The table's shortcut if there is one (web/src/lib/board/shortcuts.ts), otherwise Enter on the button. */
const keyboard = {
  ...byKeys,
  async act(page, what, key) {
    if (key && (await page.locator('[role=dialog]').count()) === 0) return page.keyboard.press(key);
    await what.focus();
    await page.keyboard.press('Enter');
  },
};

/** The rest of a card is covered by its neighbors. */
const AT_ITS_EDGE = { position: { x: 8, y: 14 } };

/** Selects exactly these cards. */
async function choose(page, cards) {
  const chosen = await page
    .locator('.hand [data-card][aria-pressed=true]')
    .evaluateAll((all) => all.map((el) => el.dataset.card));
  for (const card of [...chosen, ...cards]) await page.locator(named(card)).tap(AT_ITS_EDGE);
}

const touch = {
  act: (_, what) => what.tap(),
  async group(page, cards) {
    await choose(page, cards);
    await page.locator('.buttons').getByRole('button', { name: 'Group', exact: true }).tap();
  },
  async discard(page, card) {
    await choose(page, [card]);
    await pause(page);
    await page.locator('[data-anchor="discard"]').tap();
  },
};

const phone = (width, height) => ({ viewport: { width, height }, hasTouch: true, isMobile: true });

export const MOUSE = { name: 'by mouse', options: { viewport: SIZES.laptop }, ...mouse };
export const TOUCH = { name: 'by touch at 360', options: phone(360, 740), ...touch };
export const SIDEWAYS = { name: 'by touch at 844×390', options: phone(844, 390), ...touch };
export const KEYBOARD = {
  name: 'by keyboard at 1366',
  options: { viewport: { width: 1366, height: 768 } },
  ...keyboard,
};
