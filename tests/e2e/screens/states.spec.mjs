/* Every state of the connection, as the player sees it, on a phone and on a laptop: the built page on a fixed
 * scene, without a server. PICTURES=DIR saves a screenshot of each. */
import { fontsCome, openPage } from '../lib/browser.mjs';
import { check, equal } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { closeClean } from '../lib/test.mjs';
import { fills, playedForYou } from '../lib/moments.mjs';
import { scene, Stage } from '../lib/stage.mjs';

/** Height of two lines of the banner. */
const BANNER_MAX = 56;
const SEEN_MS = 60_000;
const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 },
  laptop: { viewport: { width: 1366, height: 768 } },
};

/** What happens, and the words that must then appear. `stays`: the connection does not recover by itself,
 * or not soon. */
const STATES = {
  paused: { words: 'The table is paused for a moment' },
  restarting: { code: 4001, words: 'The server is restarting. Your game will continue in a moment' },
  slow: { code: 4008, words: 'Your connection is slow. Catching up…' },
  lost: { code: 4999, words: 'Connection lost. Trying again…' },
  replaced: { code: 4003, words: 'You’re playing in another window', button: 'Play here' },
  flooding: { code: 4429, words: 'Too many messages. Pausing for a moment', stays: true },
  left: { code: 4000, words: 'You left this table', button: 'Go to the lobby', stays: true },
  refused: { code: 4403, words: 'This table is closed', button: 'Go to the lobby', stays: true },
};

async function live(page) {
  await page.waitForSelector('[data-connection="open"]');
  await page.waitForSelector('.hand [data-card]');
  await fontsCome(page);
}

async function picture(page, name) {
  if (process.env.PICTURES) await page.screenshot({ path: `${process.env.PICTURES}/${name}.png` });
}

/** The words are inside the window and not covered, except briefly. */
async function isSeen(page, words) {
  const line = page.getByText(words, { exact: false }).first();
  await line.waitFor();
  const seen = (el) => {
    const r = el.getBoundingClientRect();
    const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
    return (
      r.x >= 0 &&
      r.right <= innerWidth + 0.5 &&
      r.y >= 0 &&
      r.bottom <= innerHeight &&
      (el.contains(hit) || hit?.contains(el))
    );
  };
  try {
    await page.waitForFunction(seen, await line.elementHandle(), { timeout: SEEN_MS });
  } catch {
    check(false, `not seen: ${words}`);
  }
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(over <= 0, `the page is ${over} px too wide`);
}

async function state(page, stage, name, size) {
  const { code, words, button, stays } = STATES[name];
  const release = code ? stage.holdTickets() : () => stage.send({ t: 'resumed', d: {} });
  try {
    if (code) await stage.socket.close({ code });
    else stage.send({ t: 'paused', d: {} });
    if (!button) await page.waitForSelector(`[data-connection="${name}"]`);
    await isSeen(page, words);
    if (button) await isSeen(page, button);
    else
      check(
        (await page.locator('[data-connection]').boundingBox()).height < BANNER_MAX,
        'the sentence is broken into many lines',
      );
    await picture(page, `${size}-${name}`);
  } finally {
    release();
  }
  if (button && !stays) await page.getByRole('button', { name: button }).click();
  if (stays) await page.reload();
  await live(page);
}

async function played(page, stage, size) {
  await playedForYou(page, stage);
  const note = page.locator('[data-away-note]');
  for (const words of [
    'Your time ran out 3 times.',
    'A bot played 1 turn for you.',
    'opened with 57',
    '1 hand ended meanwhile: 40 points',
  ])
    await note.getByText(words).waitFor();
  await isSeen(page, '10 s of your extra time for a bad connection are used; 0 s are left.');
  await picture(page, `${size}-played`);
  await note.getByRole('button', { name: 'Close' }).click();
  await note.waitFor({ state: 'detached' });
}

/** The seconds to the start are visible, but not announced each time they change. */
async function waiting(page, stage, size) {
  stage.waiting = fills();
  const { room } = stage.waiting;
  await page.reload();
  await isSeen(page, 'One seat is free. Bots will join in');
  await page.getByRole('heading', { name: room }).waitFor();
  const seconds = page.getByText(/^Bots will join in \d+ s\.$/);
  await seconds.waitFor();
  equal(
    await seconds.evaluate((el) => el.closest('[aria-live]')?.ariaLive),
    'off',
    'how the seconds are read out',
  );
  await picture(page, `${size}-waiting`);
}

/** A paused practice table, until its clock runs again. The awaited player does not see the notice. */
async function waitsFor(page, stage, size) {
  const words = page.getByText('Waiting for Karim.');
  stage.send({ t: 'waiting_for', d: { seat: 1, ends_in_ms: 1_800_000 } });
  await isSeen(page, 'Waiting for Karim.');
  equal(await words.getAttribute('role'), 'status', 'its role');
  await picture(page, `${size}-waits`);
  stage.send({ t: 'clock', d: { seat: 1, ms_left: 30_000, turn_ms: 30_000 } });
  await words.waitFor({ state: 'detached' });
  stage.send({ t: 'waiting_for', d: { seat: 0, ends_in_ms: 1_800_000 } });
  stage.send({ t: 'watchers', d: { n: 3 } });
  await page.getByText('3 watching').waitFor();
  equal(
    await page.getByText(/^Waiting for (?!players)/).count(),
    0,
    'notices to the player the table waits for',
  );
  stage.send({ t: 'clock', d: { seat: 0, ms_left: 30_000, turn_ms: 30_000 } });
}

for (const [size, options] of Object.entries(SIZES))
  test.describe(`on a ${size}`, () => {
    let opened = null;
    let stage = null;

    test.beforeAll(async () => {
      opened = await openPage(here.browser, { ...options, reducedMotion: 'reduce' });
      stage = await new Stage(opened.page, scene()).set();
      await opened.page.goto(`${here.origin}/table/917`);
      await live(opened.page);
    });
    test.afterAll(() => closeClean(opened));

    for (const name of Object.keys(STATES))
      test(`a notice is shown: ${name}`, () => state(opened.page, stage, name, size));
    test('a returning player sees what was played for them', () => played(opened.page, stage, size));
    test('a paused table names the player it waits for', () => waitsFor(opened.page, stage, size));
    test('a table that fills up shows how long it waits', () => waiting(opened.page, stage, size));
  });
