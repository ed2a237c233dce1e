/* From the lobby to a table on a real server: a tile, a game against bots, the button for immediate bots, a
 * private table's link in another browser and as a QR code, and addresses that do not exist. E2E_SHOTS
 * is the folder for screenshots. */
import { join } from 'node:path';
import { violations } from '../lib/axe.mjs';
import { openPage } from '../lib/browser.mjs';
import { LONG, until } from '../lib/harness.mjs';
import { enter, person } from '../lib/people.mjs';
import { Platform } from '../lib/server.mjs';
import { openForm, playTile } from '../lib/tables.mjs';
import { closeClean, expect, fitsWidth, test } from '../lib/test.mjs';

const PHONE = { width: 360, height: 740 };
const SIDEWAYS = { width: 844, height: 390 };
const LAPTOP = { width: 1366, height: 768 };

async function shot(page, name) {
  if (!process.env.E2E_SHOTS) return;
  const old = page.viewportSize();
  for (const size of [PHONE, SIDEWAYS, LAPTOP]) {
    await page.setViewportSize(size);
    await page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}-${size.width}.png`) });
  }
  await page.setViewportSize(old);
}

const dealt = (page) => page.waitForSelector('.hand [data-card]');

/** walked: `walk` shows this view to axe; in the long form, axe checks it here as well. */
async function sound(page, { walked = false } = {}) {
  if (LONG || !walked) expect(await violations(page), 'what axe finds').toEqual([]);
  await fitsWidth(page);
}

/** Addresses of pages that are now parts of the lobby. */
async function movedHere({ page }, url) {
  for (const old of ['/tables', '/rooms', '/rooms/']) {
    await page.goto(url + old);
    await page.getByRole('heading', { name: 'Lobby' }).waitFor();
    expect(page.url(), `where ${old} leads`).toBe(`${url}/`);
  }
}

async function tiles({ page }, url) {
  await page.locator('[data-game="treff"]').waitFor();
  await page.locator('details.locked-rooms summary').waitFor();
  expect(await page.locator('.room.locked:visible').count(), 'locked rooms that are unfolded').toBe(0);
  for (const link of ['Rules of Treff', 'Rules of Pool 101'])
    await expect(page.getByRole('link', { name: link }), link).toHaveCount(1);
  for (const link of ['Learn', 'Practice'])
    await expect(page.getByRole('link', { name: link, exact: true }), link).toHaveCount(1);
  const rules = page.locator('.room').getByRole('link', { name: 'Rules of Rummy 51' });
  expect(await rules.count(), 'rooms that lead to the rules').toEqual(
    await page.locator('.room:visible').count(),
  );
  await sound(page, { walked: true });
  await shot(page, 'lobby');
  await playTile(page, 'treff');
  await dealt(page);
  await expect(page.locator('[data-seat]'), 'seats, one of a bot').toHaveCount(2);
  await page.goto(url);
}

/** A new server shows no zeros. A player in a game against bots is counted, also in what others see. */
async function counts(browser, url) {
  const zeros = (text) => text.split('\n').filter((line) => /(?<![\d.,:])0(?![\d.,:])/.test(line));
  const phone = { viewport: PHONE, hasTouch: true };
  const watcher = await person(browser, url, 'Wanda', phone);
  const player = await person(browser, url, 'Lena', phone);
  const { page } = player;
  await watcher.page.locator('#daily-today').waitFor();
  expect(zeros(await watcher.page.locator('main').innerText()), 'zeros in the lobby').toEqual([]);
  await expect(watcher.page.locator('.now'), 'games with players').toHaveCount(0);
  await playTile(page, 'pool101');
  await dealt(page);
  await expect(watcher.page.locator('[data-game="pool101"] .now')).toHaveText('1 playing');
  await expect(watcher.page.locator('.now'), 'games with players').toHaveCount(1);
  await page.goto(url);
  await expect(page.locator('[data-play]'), 'the game of the gold button').toContainText('Play Pool 101');
  await shot(watcher.page, 'lobby-one-playing');
  await closeClean(watcher, player);
}

async function botsNow({ page }) {
  await playTile(page, 'rummy51');
  const now = page.getByRole('button', { name: 'Start with bots now' });
  await now.waitFor();
  await sound(page, { walked: true });
  await shot(page, 'bots-now');
  await now.tap();
  await dealt(page);
}

/** Opens a private table for three players and returns its link. */
async function privateTable({ page }, url) {
  const form = await openForm(page, url);
  await form.locator('[data-variant="treff"]').tap();
  await form.getByRole('group', { name: 'Players' }).getByText('3', { exact: true }).tap();
  await form.getByRole('group', { name: 'Number of bots' }).getByText('0', { exact: true }).tap();
  await form.getByRole('button', { name: 'Open the table' }).tap();
  await page.getByRole('button', { name: 'QR code' }).tap();
  await page.getByRole('img', { name: 'QR code of the link to this table' }).waitFor();
  await shot(page, 'share');
  await page.keyboard.press('Escape');
  return page.getByLabel('Link to this table').inputValue();
}

async function ask(page, answer) {
  await page.getByRole('button', { name: 'Chat' }).tap();
  await page.getByText('Add, mute, or report').tap();
  await page.getByRole('button', { name: 'Add friend' }).tap();
  await page.getByText(answer).waitFor();
}

/** Each sends the other a friend request at the table; then the lobby shows where a friend plays. */
async function befriend(host, guest, url) {
  await ask(host, 'You sent Luis a friend request.');
  await ask(guest, 'You and Lena are friends.');
  for (const path of ['/friends', '/']) {
    await guest.goto(url + path);
    await guest
      .getByRole('region', { name: 'Friends online' })
      .getByText(/^playing/)
      .waitFor();
    await sound(guest, { walked: path === '/' });
    await shot(guest, `friends-in-${path.slice(1) || 'lobby'}`);
  }
}

/** Waits until received data has been drawn. */
const drawn = (page) =>
  page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));

/** A guest follows the link, sees who invites, and sits down; the host wants no more players. */
async function invited(browser, host, link) {
  const guest = await openPage(browser, { viewport: PHONE, hasTouch: true, reducedMotion: 'reduce' });
  /* strangers.spec.mjs covers visitors without a name. */
  await guest.page.goto(new URL(link).origin);
  await enter(guest.page, 'Luis');
  await guest.page.getByRole('heading', { name: 'Lobby' }).waitFor();
  await guest.page.goto(link);
  await drawn(guest.page);
  await guest.page.getByRole('heading', { name: 'Lena invites you to play' }).waitFor();
  await guest.page.getByText('2 seats are free.').waitFor();
  expect(await guest.page.locator('.invited strong').innerText(), 'the game').toBe('Treff');
  await sound(guest.page, { walked: true });
  await shot(guest.page, 'invited');
  await guest.page.getByRole('button', { name: 'Sit down' }).tap();
  await guest.page.getByText('Lena can start the game with bots.').waitFor();
  await sound(guest.page, { walked: true });
  await shot(guest.page, 'guest-waits');
  expect(
    await guest.page.getByRole('button', { name: 'Start with bots now' }).count(),
    'buttons of a guest',
  ).toBe(0);
  await shot(host.page, 'host-waits');
  await host.page.getByRole('button', { name: 'Start with bots now' }).tap();
  await Promise.all([dealt(guest.page), dealt(host.page)]);
  await expect(host.page.locator('[data-seat]'), 'seats, one of a bot').toHaveCount(3);
  expect(guest.page.url(), 'the table of the guest').toEqual(host.page.url());
  await befriend(host.page, guest.page, new URL(link).origin);
  expect(guest.errors, 'errors of the guest').toEqual([]);
  await guest.context.close();
}

/** A correspondence table with one day per turn: the player panel shows its deadline instead of seconds,
 * and the rooms list it. */
async function longTurns({ page }, url) {
  const form = await openForm(page, url);
  await form.locator('[data-variant="treff"]').tap();
  await form.getByRole('group', { name: 'Time for each turn' }).getByText('24 h', { exact: true }).tap();
  await form.getByText('You don’t have to stay at the table').waitFor();
  expect(await form.getByText('Seconds per turn').count(), 'fields for seconds').toBe(0);
  await sound(page);
  await shot(page, 'open-long-turns');
  await form.getByRole('button', { name: 'Open the table' }).tap();
  await dealt(page);
  await page.locator('.seat.mine .deadline').waitFor();
  expect(
    /\d:\d\d/.test(await page.locator('.seat.mine .deadline').innerText()),
    'when the turn ends',
  ).toBeTruthy();
  expect(await page.locator('.seat .ring').count(), 'rings of seconds').toBe(0);
  await sound(page);
  await shot(page, 'long-turn');
  await page.goto(`${url}/rooms`);
  await page.getByRole('list', { name: 'Your games' }).getByText('It’s your turn').waitFor();
  await sound(page);
  await shot(page, 'your-games');
}

async function nowhere({ page, errors }, url) {
  await page.goto(`${url}/join/ZZZZZZ`);
  await page.getByRole('heading', { name: 'This table doesn’t exist' }).waitFor();
  await sound(page, { walked: true });
  await shot(page, 'no-table');
  await page.getByRole('link', { name: 'Go to the lobby' }).tap();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
  for (const path of ['/table/999999', '/watch/999999', '/watch/999999/ZZZZZZ']) {
    await page.goto(url + path);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Go to the lobby' }).waitFor();
  }
  await page.goto(`${url}/games/999999`);
  await page.getByRole('main').getByRole('link', { name: 'Games' }).waitFor();
  errors.length = 0; // the browser counts the expected refusals as errors
}

let lena;

test.beforeAll(async ({ browser, platform }) => {
  platform.fillAfter(600_000);
  lena = await person(browser, platform.url, 'Lena', { viewport: PHONE, hasTouch: true });
});

test.afterAll(async ({ platform }) => {
  platform.fillAfter();
  await closeClean(lena);
});

test('old addresses lead to the lobby', ({ platform }) => movedHere(lena, platform.url));

test('the lobby counts players and shows no zeros', async ({ browser }) => {
  const unused = new Platform(); // on the shared server, games of other files may still be running
  try {
    const { url } = await unused.start();
    await until(() => unused.sql('SELECT 1 FROM daily_days').length > 0, 'no daily deals');
    await counts(browser, url);
  } finally {
    await unused.stop();
  }
});

test('one tap on a tile and the cards are dealt against a bot', ({ platform }) => tiles(lena, platform.url));

test('two taps, and a room’s table starts with bots now', () => botsNow(lena));

test('a join link names the player who shared it', async ({ browser, platform }) =>
  invited(browser, lena, await privateTable(lena, platform.url)));

test('a table with one-day turns shows when they end', ({ platform }) => longTurns(lena, platform.url));

test('the page had no error', () => expect(lena.errors, 'errors').toEqual([]));

test('an unknown address offers a way on', ({ platform }) => nowhere(lena, platform.url));
