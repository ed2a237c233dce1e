/* Replays with real components (page, rummyd, PostgreSQL): a game of four by its number, a pasted or chosen
 * record, a moment in the address, a frame in another site's page, the keyboard. E2E_SHOTS is the folder for
 * screenshots. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { violations } from '../lib/axe.mjs';
import { keepSession, openPage } from '../lib/browser.mjs';
import { gameOf, simulated } from '../lib/games.mjs';
import { LONG, until } from '../lib/harness.mjs';
import { closeClean, expect, fitsWidth, test } from '../lib/test.mjs';

const SIZES = {
  phone: { width: 360, height: 740 },
  sideways: { width: 844, height: 390 },
  laptop: { width: 1366, height: 768 },
};

const at = (page) => page.locator('.controls .count').innerText();
const moments = async (page) => Number((await at(page)).split('/')[1]);
const shown = (page) => page.locator('.controls').waitFor();

test.describe.configure({ mode: 'serial' });

const record = simulated('rummy51', 4);
let folder;
let opened;
let page;
let stranger;
let id;
let whole = 0; // moments of the game

const shot = (name) =>
  process.env.E2E_SHOTS && page.screenshot({ path: join(process.env.E2E_SHOTS, `replay-${name}.png`) });

test.beforeAll(async ({ browser, platform }) => {
  folder = mkdtempSync(join(tmpdir(), 'rummyd-replay-'));
  const game = await gameOf(platform, ['Rhea', 'Jo'], record);
  id = game.id;
  opened = await openPage(browser, { viewport: SIZES.laptop, reducedMotion: 'reduce' });
  page = opened.page;
  stranger = await openPage(browser, { viewport: SIZES.laptop, reducedMotion: 'reduce' });
  const { access_token: access, refresh_token: refresh } = game.guest;
  await keepSession(opened.context, { access, renewAt: Date.now() + 1e9, refresh });
});

test.afterAll(async () => {
  rmSync(folder, { recursive: true });
  await stranger?.context.close(); // where a frame of the page is refused, which counts as an error
  await closeClean(opened);
});

test('a finished game is replayed from the list of games, and verified by the engine', async ({
  platform,
}) => {
  await page.goto(`${platform.url}/games`);
  await page.getByRole('link', { name: 'Watch replay' }).first().click();
  await shown(page);
  expect(new URL(page.url()).pathname, 'the address').toBe(`/games/${id}/replay`);
  await expect
    .poll(() => page.locator('.seal').getAttribute('data-holds'), 'whether the record holds')
    .toBe('true');
  whole = await moments(page);
  expect(whole > 20, `${whole} moments`).toBeTruthy();
  await expect.poll(() => at(page), 'the moment').toBe(`0/${whole}`);
  await expect(page.locator('[data-open]'), 'the hands of the others lie open').toHaveCount(3);
});
test('steps go forward and back, and the address keeps the moment for a reload', async () => {
  for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'One move forward' }).click();
  expect((await at(page)).startsWith('5/'), await at(page)).toBeTruthy();
  await page.getByRole('button', { name: 'One move back' }).click();
  const before = await page.locator('.said').innerText();
  const url = page.url();
  expect(/\?turn=\d+/.test(url), url).toBeTruthy();
  await page.reload();
  await shown(page);
  expect((await at(page)).startsWith('4/'), await at(page)).toBeTruthy();
  await expect.poll(() => page.locator('.said').innerText(), 'what was said').toEqual(before);
  await page.getByRole('list', { name: 'Moves' }).getByRole('button').nth(10).click();
  expect(/turn=10\b/.test(page.url()), page.url()).toBeTruthy();
});
test('a seat’s view hides the other hands, and a link keeps the view', async () => {
  await page.getByRole('combobox', { name: 'View as' }).selectOption('1');
  expect(await page.locator('[data-open]').count(), 'open hands').toBe(0);
  expect(/seat=1\b/.test(page.url()), page.url()).toBeTruthy();
  await page.reload();
  await shown(page);
  expect(await page.locator('[data-open]').count(), 'open hands after a reload').toBe(0);
  expect((await page.locator('.mine [data-card]').count()) > 0, 'the own hand').toBeTruthy();
});
test('the keyboard steps, jumps to the ends, plays, and changes the view', async () => {
  await page.locator('h1').click();
  await page.keyboard.press('Home');
  expect((await at(page)).startsWith('0/'), await at(page)).toBeTruthy();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('ArrowLeft');
  expect((await at(page)).startsWith('1/'), await at(page)).toBeTruthy();
  await page.keyboard.press('PageDown');
  const [now, last] = (await at(page)).split('/');
  expect(Number(now) > 1, now).toBeTruthy();
  await page.keyboard.press('End');
  await expect.poll(() => at(page), 'the end').toBe(`${last}/${last}`);
  await page.keyboard.press('0');
  await page.locator('[data-open]').first().waitFor();
  await page.keyboard.press('Home');
  await page.keyboard.press('Space');
  await until(async () => Number((await at(page)).split('/')[0]) >= 1, 'it plays');
  await page.keyboard.press('Space');
  await page.getByRole('button', { name: 'Play' }).waitFor();
});
test('it fits a phone in both orientations and a laptop, and axe reports nothing', async ({ platform }) => {
  await page.goto(`${platform.url}/games/${id}/replay?turn=22`);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await shown(page);
    await shot(size);
    await fitsWidth(page, size);
    const low = () =>
      page.locator('.controls').evaluate((el) => el.getBoundingClientRect().bottom - innerHeight);
    await expect.poll(low, `${size}: pixels of the controls below the window`).toBeLessThanOrEqual(0);
    if (LONG || size === 'phone') expect(await violations(page), `${size}: axe`).toEqual([]);
  }
  await page.goto(`${platform.url}/games/${id}/replay?turn=22&seat=0`);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await shown(page);
    await shot(`${size}-seat`);
  }
});
test('the bot rates each seat, and a key moment opens its turn', async ({ platform }) => {
  await page.setViewportSize(SIZES.laptop);
  await page.goto(`${platform.url}/games/${id}/replay`);
  await page.getByRole('button', { name: 'Analyze this hand' }).click();
  await page.locator('[data-analysis]').waitFor();
  await expect(page.locator('[data-analysis] tbody tr'), 'seats').toHaveCount(4);
  await expect(page.locator('.analysis polyline'), 'lines of the plot').toHaveCount(4);
  expect(await violations(page), 'axe').toEqual([]);
  await shot('analysis');
  await page.locator('.analysis ol button').first().click();
  const turn = Number(/turn=(\d+)/.exec(page.url())?.[1]);
  expect(
    (await page.locator('.analysis ol button').first().innerText()).startsWith(`Turn ${turn}:`),
    page.url(),
  ).toBeTruthy();
});
test('the page of a game shows the result of the verification', async ({ platform }) => {
  await page.goto(`${platform.url}/games/${id}`);
  await page
    .locator('[data-engine=true]')
    .getByText('Hand 1: the deal, the moves, and the score are right')
    .waitFor();
});
test('visitors without an account can open a pasted record, and get the line of an error', async ({
  platform,
}) => {
  const other = stranger.page;
  await other.goto(`${platform.url}/replay`);
  const field = other.getByRole('textbox', { name: 'The record' });
  await field.fill('[Rummyd "1"]\n[Variant "whist"]\n');
  await other.getByRole('button', { name: 'Show it' }).click();
  expect(/Line 2, column \d+/.test(await other.getByRole('alert').innerText()), 'the line').toBeTruthy();
  await field.fill('');
  await other.getByRole('button', { name: 'Show it' }).click();
  await other.getByText('There’s no record here yet.').waitFor();
  await field.fill(record);
  expect(await violations(other), 'axe').toEqual([]);
  await other.getByRole('button', { name: 'Show it' }).click();
  await shown(other);
  await expect.poll(() => moments(other), 'moments').toEqual(whole);
  await other.reload();
  await shown(other);
});
test('a file of several hands is chosen; a file that is too long is refused', async () => {
  const other = stranger.page;
  await other.getByRole('button', { name: 'Another record' }).click();
  const big = join(folder, 'big.txt');
  writeFileSync(big, Buffer.alloc((4 << 20) + 1, 0x61));
  await other.locator('input[type=file]').setInputFiles(big);
  await other.getByText('a record can have at most 4 MB').waitFor();
  writeFileSync(join(folder, 'pool.txt'), simulated('pool101', 3));
  await other.locator('input[type=file]').setInputFiles(join(folder, 'pool.txt'));
  await shown(other);
  await other.getByRole('combobox', { name: 'Hand' }).selectOption({ index: 1 });
  expect(/hand=2\b/.test(other.url()), other.url()).toBeTruthy();
  await other.keyboard.press('End');
});
test('another page may show a game in a frame, and no other page of ours', async ({ platform }) => {
  await page.goto(`${platform.url}/games/${id}/replay?turn=22`);
  await page.getByRole('button', { name: 'Share' }).click();
  const code = await page.getByRole('textbox', { name: 'Show it on your own page' }).inputValue();
  const now = await at(page);
  const host = createServer((_, answer) =>
    answer.setHeader('Content-Type', 'text/html').end('<title>host</title>'),
  );
  await new Promise((done) => host.listen(0, '127.0.0.1', done));
  const other = stranger.page;
  await other.goto(`http://127.0.0.1:${host.address().port}/`);
  const put = (path) =>
    other.evaluate(
      (src) =>
        document.body.replaceChildren(
          Object.assign(document.createElement('iframe'), { src, width: 720, height: 540 }),
        ),
      platform.url + path,
    );
  await put(code.match(/src="[^"]*(\/embed\/[^"]+)"/)[1]);
  await other.frameLocator('iframe').locator('.controls .count').waitFor();
  expect(await other.frameLocator('iframe').locator('.controls .count').innerText(), 'the moment').toEqual(
    now,
  );
  expect(await other.frameLocator('iframe').locator('header.top').count(), 'headers').toBe(0);
  const refused = other.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
  await put(`/games/${id}/replay`);
  await refused;
  host.close();
});
test('nothing went wrong on the way', () => expect(opened.errors, 'errors').toEqual([]));
