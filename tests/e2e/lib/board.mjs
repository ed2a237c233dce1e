/* The built page at a table of a fixed scene (stage.mjs), without a server: at every size, by mouse and by
 * touch, and checks of what is visible. */
import { fontsCome, openPage, PICTURED, turnTo } from './browser.mjs';
import { check, equal, LONG, until } from './harness.mjs';
import { here } from './here.mjs';
import { GROUPS } from './scenes.mjs';
import { scene, SESSION, Stage } from './stage.mjs';

/** Animation would take half of the CPU time. Tests about it use MOVING. */
const CALM = { reducedMotion: 'reduce', motionless: true };
export const MOVING = { reducedMotion: 'no-preference', motionless: false };

/** A double pixel ratio takes four times as long to paint. */
const deviceScaleFactor = PICTURED || LONG ? 2 : 1;
export const PHONE = {
  viewport: { width: 360, height: 740 },
  hasTouch: true,
  isMobile: true,
  deviceScaleFactor,
  ...CALM,
};
export const LAPTOP = { viewport: { width: 1440, height: 900 }, ...CALM };
export const SIZES = {
  'a phone of 360': PHONE,
  'a phone of 320': { ...PHONE, viewport: { width: 320, height: 568 } },
  'a phone held sideways': { ...PHONE, viewport: { width: 844, height: 390 } },
  'a small phone held sideways': { ...PHONE, viewport: { width: 740, height: 360 } },
  'a laptop at twice its zoom': { viewport: { width: 683, height: 384 }, ...CALM },
  'a tablet of 768': { viewport: { width: 768, height: 1024 }, hasTouch: true, ...CALM },
  'a laptop of 1366': { viewport: { width: 1366, height: 768 }, ...CALM },
  'a screen of 1920': { viewport: { width: 1920, height: 1080 }, ...CALM },
};
export const card = (name) => `.hand [data-card="${name}"]`;

/** Open pages by their options, each with its stage. Tests reuse them, because a new page would have to
 * fetch and compile everything again. */
const pages = new Map();
/** Where a page waits for the next test: at an address with little to draw, because a table would keep
 * animating. */
const WAITS = '/nosuch';

/** Leaves the table, which disappears once the other page has been fetched. A test that began earlier would
 * find the old table with its arranged hand. */
export async function leave(page) {
  await turnTo(page, WAITS);
  await page.locator('.table-page').waitFor({ state: 'detached' });
  await page.getByRole('heading', { level: 1 }).waitFor();
}

/** Runs work on a page without state from earlier tests. A page whose test failed is not reused. */
export async function onPage(options, snapshot, work) {
  const key = JSON.stringify(options);
  if (!pages.has(key)) {
    const opened = await openPage(here.browser, options);
    pages.set(key, { ...opened, stage: await new Stage(opened.page).set() });
  }
  const { context, page, stage, errors } = pages.get(key);
  pages.delete(key);
  try {
    if (page.url() === 'about:blank') await page.goto(here.origin + WAITS);
    await page.evaluate((kept) => {
      localStorage.clear();
      localStorage.setItem('rummyd:session', JSON.stringify(kept));
    }, SESSION);
    await page.mouse.move(0, 0);
    stage.begin(snapshot);
    await work(page, stage);
    equal(errors, [], 'errors of the page');
    await leave(page);
    pages.set(key, { context, page, stage, errors });
  } finally {
    if (!pages.has(key)) await context.close();
  }
}

/** Works at the table, in the same document as the previous test, so settings that it has already read are
 * those of that test. */
export function atTable(work, { options = LAPTOP, snapshot = scene() } = {}) {
  return onPage(options, snapshot, async (page, stage) => {
    await turnTo(page, '/table/917');
    await page.waitForSelector(card(snapshot.hand[0]));
    await settled(page);
    await work(page, stage);
  });
}

/** Waits until the cards of the hand stop moving. Compares several frames, because a busy machine shows the
 * same picture twice while a card is moving. */
export function settled(page) {
  const still = (frames) => {
    const cards = [...document.querySelectorAll('.hand [data-card]')];
    const moving =
      cards.length === 0 || cards.some((el) => el.getAnimations().some((a) => a.playState === 'running'));
    const now = moving ? '' : cards.map((el) => Math.round(el.getBoundingClientRect().x)).join();
    const before = (window.stillHand ??= { looks: 0 });
    window.stillHand = { now, looks: now !== '' && now === before.now ? before.looks + 1 : 0 };
    if (window.stillHand.looks < frames) return false;
    delete window.stillHand;
    return true;
  };
  return page.waitForFunction(still, 5, { polling: 'raf' });
}

/** After tests that leave another language or other settings in an open page. */
export async function closePages() {
  for (const { context } of pages.values()) await context.close();
  pages.clear();
}

export async function noSideways(page) {
  await fontsCome(page);
  /* Not innerWidth: on a phone it grows with overflowing content. */
  const over = await page.evaluate(
    (width) => document.documentElement.scrollWidth - width,
    page.viewportSize().width,
  );
  check(over <= 0, `the page is ${over} px too wide`);
}

/** Cards of the hand whose visible strip is covered, or outside the window. */
export function hiddenCards(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('.hand [data-card]')]
      .filter((el) => {
        const r = el.getBoundingClientRect();
        const hit = document.elementFromPoint(r.x + 9, r.y + 16);
        return (
          r.x < 0 ||
          r.right > innerWidth + 0.5 ||
          r.bottom > innerHeight + 0.5 ||
          hit?.closest('[data-card]') !== el
        );
      })
      .map((el) => el.dataset.card),
  );
}

/** Elements not fully inside the window, or covered. */
export function notSeen(page, selector) {
  return page.locator(selector).evaluateAll((all) =>
    all.flatMap((el) => {
      const r = el.getBoundingClientRect();
      const inside =
        r.x >= -0.5 && r.right <= innerWidth + 0.5 && r.y >= -0.5 && r.bottom <= innerHeight + 0.5;
      const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
      return inside && r.width > 0 && (el.contains(hit) || hit?.contains(el))
        ? []
        : [el.innerText || el.className];
    }),
  );
}

/** Melds of which a corner or the middle is covered, clipped, or outside the window. */
export function hiddenMelds(page) {
  return page.locator('[data-meld]').evaluateAll((melds) =>
    melds
      .filter((meld) => {
        const { left, right, top, bottom } = meld.getBoundingClientRect();
        const inset = 4;
        const spots = [
          [left + inset, top + inset],
          [right - inset, top + inset],
          [left + inset, bottom - inset],
          [right - inset, bottom - inset],
          [(left + right) / 2, (top + bottom) / 2],
        ];
        return !spots.every(([x, y]) => document.elementFromPoint(x, y)?.closest('[data-meld]') === meld);
      })
      .map((meld) => meld.getAttribute('aria-label')),
  );
}

/** Piles whose corner or middle is covered or outside the window, and pile labels of which an end is. */
export function hiddenPiles(page) {
  return page.locator('.pile, .wildcard small, .stock .count').evaluateAll((all) =>
    all
      .filter((el) => {
        const { left, right, top, bottom } = el.getBoundingClientRect();
        const [x, y] = [(left + right) / 2, (top + bottom) / 2];
        const ends = [
          [left + 3, y],
          [x, y],
          [right - 3, y],
        ];
        const corners = [left + 6, right - 6].flatMap((side) => [
          [side, top + 6],
          [side, bottom - 6],
        ]);
        const spots = el.matches('.pile') ? [...corners, [x, y]] : ends;
        return !spots.every((spot) => {
          const hit = document.elementFromPoint(...spot);
          return hit !== null && (el.contains(hit) || el.parentElement.closest('.pile') === hit);
        });
      })
      .map((el) => el.innerText || el.className),
  );
}

/** Text clipped by its own box. Names and messages of players may be long, so an ellipsis is intended
 * there. */
export function cutTexts(page) {
  return page.evaluate(() =>
    [
      ...document.querySelectorAll(
        '.table-bar *, .board *, .mine *, .page *, header.top *, .modal *, .talk *',
      ),
    ].flatMap((el) => {
      if (el.closest('.nick, .said-bubble, .sr-only, svg, .pile, .flights') || !el.checkVisibility())
        return [];
      const words = [...el.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== '');
      const style = getComputedStyle(el);
      const clips = style.overflowX !== 'visible' && style.overflowX !== 'auto';
      return words && clips && el.scrollWidth > el.clientWidth + 1 ? [el.innerText] : [];
    }),
  );
}

/** Doubles the text size in the browser's settings. */
export async function largeText(page, px = 32) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Page.enable');
  await cdp.send('Page.setFontSizes', { fontSizes: { standard: px, fixed: px } });
}

export const centre = async (page, selector) => {
  const box = await page.locator(selector).first().boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

export async function mouseDrag(page, from, to) {
  const a = await page.locator(from).first().boundingBox();
  const b = typeof to === 'string' ? await centre(page, to) : to;
  await page.mouse.move(a.x + 10, a.y + 20);
  await page.mouse.down();
  await page.mouse.move(a.x + 30, a.y - 10, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 6 });
  await page.mouse.up();
}

export async function touchDrag(page, from, to) {
  const cdp = await page.context().newCDPSession(page);
  const a = await page.locator(from).first().boundingBox();
  const b = await centre(page, to);
  const start = { x: a.x + 10, y: a.y + 20 };
  const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [start]);
  for (let i = 1; i <= 8; i++)
    await touch('touchMove', [
      { x: start.x + ((b.x - start.x) * i) / 8, y: start.y + ((b.y - start.y) * i) / 8 },
    ]);
  await touch('touchEnd', []);
}

export const lastOf = (stage, type, ms) =>
  until(() => stage.commands(type).at(-1), `no ${type} was sent`, ms);

/** In the page: taps these cards. */
async function tapCards(names) {
  for (const name of names) {
    const el = document.querySelector(`.hand [data-card="${name}"]`);
    const { x, y } = el.getBoundingClientRect();
    const at = { bubbles: true, pointerId: 1, clientX: x + 6, clientY: y + 16 };
    for (const type of ['pointerdown', 'pointerup']) el.dispatchEvent(new PointerEvent(type, at));
  }
  await new Promise((done) => requestAnimationFrame(done));
}

/** Selects cards in tests about something else, because Playwright takes ten steps for each click. */
export const selectCards = (page, cards) => page.evaluate(tapCards, cards);

export async function groupCards(page, groups) {
  for (const cards of groups) {
    await selectCards(page, cards);
    await page.keyboard.press('g');
  }
  await settled(page);
}

export const makeGroups = (page) => groupCards(page, GROUPS);
