/* Games seen again, on real parts (page, rummyd, PostgreSQL): a game of four by its number, a record that is pasted or chosen,
 * a moment in the address, a frame in somebody else's page, the keyboard. E2E_SHOTS names a folder for pictures. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { violations } from './lib/axe.mjs';
import { openPage } from './lib/browser.mjs';
import { settleGame, simulated } from './lib/games.mjs';
import { becomes, check, counted, equal, test, until } from './lib/harness.mjs';
import { Platform } from './lib/server.mjs';

const SIZES = { phone: { width: 360, height: 740 }, sideways: { width: 844, height: 390 }, laptop: { width: 1366, height: 768 } };

/** Two guests, and the game they played with two bots: its number. */
async function gameOf(platform, record) {
  const guests = [];
  for (const nickname of ['Mia', 'Jo']) {
    const headers = { 'Content-Type': 'application/json' };
    const answer = await fetch(`${platform.url}/v1/auth/guest`, { method: 'POST', headers, body: JSON.stringify({ nickname }) });
    guests.push(await answer.json());
  }
  settleGame(platform, guests[0].player.id, guests[1].player.id);
  platform.sql(`UPDATE hands SET record = $rec$${record}$rec$`);
  const mine = await fetch(`${platform.url}/v1/games`, { headers: { Authorization: `Bearer ${guests[0].access_token}` } });
  return { id: (await mine.json()).items[0].id, guest: guests[0] };
}

const at = (page) => page.locator('.controls .count').innerText();
const moments = async (page) => Number((await at(page)).split('/')[1]);
const shown = (page) => page.locator('.controls').waitFor();

export async function replayTests(browser) {
  const folder = mkdtempSync(join(tmpdir(), 'rummyd-replay-'));
  const platform = await new Platform().start();
  const record = simulated('rummy51', 4);
  const { id, guest } = await gameOf(platform, record);
  const { context, page, errors } = await openPage(browser, { viewport: SIZES.laptop, reducedMotion: 'reduce' });
  const stranger = await openPage(browser, { viewport: SIZES.laptop, reducedMotion: 'reduce' });
  const session = { access: guest.access_token, renewAt: Date.now() + 1e9, refresh: guest.refresh_token };
  await context.addInitScript((s) => localStorage.setItem('rummyd:session', JSON.stringify(s)), session);
  const shot = (name) => process.env.E2E_SHOTS && page.screenshot({ path: join(process.env.E2E_SHOTS, `replay-${name}.png`) });
  let whole = 0; // moments of the game
  try {
    await test('a finished game is seen again from the list of games, checked by the engine', async () => {
      await page.goto(`${platform.url}/games`);
      await page.getByRole('link', { name: 'See it again' }).first().click();
      await shown(page);
      equal(new URL(page.url()).pathname, `/games/${id}/replay`, 'the address');
      await becomes(() => page.locator('.seal').getAttribute('data-holds'), 'true', 'whether the record holds');
      whole = await moments(page);
      check(whole > 20, `${whole} moments`);
      await becomes(() => at(page), `0/${whole}`, 'the moment');
      await counted(page.locator('[data-open]'), 3, 'the hands of the others lie open');
    });
    await test('steps go forward and back, the address follows, and a reload comes back to the moment', async () => {
      for (let i = 0; i < 5; i++) await page.getByRole('button', { name: 'One move forward' }).click();
      check((await at(page)).startsWith('5/'), await at(page));
      await page.getByRole('button', { name: 'One move back' }).click();
      const before = await page.locator('.said').innerText();
      const url = page.url();
      check(/\?turn=\d+/.test(url), url);
      await page.reload();
      await shown(page);
      check((await at(page)).startsWith('4/'), await at(page));
      await becomes(() => page.locator('.said').innerText(), before, 'what was said');
      await page.getByRole('list', { name: 'Moves' }).getByRole('button').nth(10).click();
      check(/turn=10\b/.test(page.url()), page.url());
    });
    await test('as one seat saw it, the other hands are hidden, and a link keeps whose eyes it is', async () => {
      await page.getByRole('combobox', { name: 'Seen by' }).selectOption('1');
      equal(await page.locator('[data-open]').count(), 0, 'open hands');
      check(/seat=1\b/.test(page.url()), page.url());
      await page.reload();
      await shown(page);
      equal(await page.locator('[data-open]').count(), 0, 'open hands after a reload');
      check((await page.locator('.mine [data-card]').count()) > 0, 'the own hand');
    });
    await test('the keyboard steps, goes to the ends, plays, and changes whose eyes they are', async () => {
      await page.locator('h1').click();
      await page.keyboard.press('Home');
      check((await at(page)).startsWith('0/'), await at(page));
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowRight');
      await page.keyboard.press('ArrowLeft');
      check((await at(page)).startsWith('1/'), await at(page));
      await page.keyboard.press('PageDown');
      const [now, last] = (await at(page)).split('/');
      check(Number(now) > 1, now);
      await page.keyboard.press('End');
      await becomes(() => at(page), `${last}/${last}`, 'the end');
      await page.keyboard.press('0');
      await page.locator('[data-open]').first().waitFor();
      await page.keyboard.press('Home');
      await page.keyboard.press('Space');
      await until(async () => Number((await at(page)).split('/')[0]) >= 1, 'it plays');
      await page.keyboard.press('Space');
      await page.getByRole('button', { name: 'Play' }).waitFor();
    });
    await test('it fits a phone, one held sideways and a laptop, and axe finds nothing', async () => {
      for (const [size, viewport] of Object.entries(SIZES)) {
        await page.setViewportSize(viewport);
        await page.goto(`${platform.url}/games/${id}/replay?turn=${size === 'laptop' ? 14 : 22}`);
        await shown(page);
        await shot(size);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        check(wide <= 0, `${size}: too wide by ${wide} px`);
        const low = await page.locator('.controls').evaluate((el) => el.getBoundingClientRect().bottom - innerHeight);
        check(low <= 0, `${size}: the controls are below the window by ${low} px`);
        equal(await violations(page), [], `${size}: axe`);
        await page.goto(`${platform.url}/games/${id}/replay?turn=22&seat=0`);
        await shown(page);
        await shot(`${size}-seat`);
      }
    });
    await test('the bot says what it thinks of each seat, and a moment that mattered is gone to', async () => {
      await page.setViewportSize(SIZES.laptop);
      await page.goto(`${platform.url}/games/${id}/replay`);
      await page.getByRole('button', { name: 'Analyse this hand' }).click();
      await page.locator('[data-analysis]').waitFor();
      await counted(page.locator('[data-analysis] tbody tr'), 4, 'seats');
      await counted(page.locator('.analysis polyline'), 4, 'lines of the plot');
      equal(await violations(page), [], 'axe');
      await shot('analysis');
      await page.locator('.analysis ol button').first().click();
      const turn = Number(/turn=(\d+)/.exec(page.url())?.[1]);
      check((await page.locator('.analysis ol button').first().innerText()).startsWith(`Turn ${turn}:`), page.url());
    });
    await test('the page of a game says what the engine found', async () => {
      await page.goto(`${platform.url}/games/${id}`);
      await page.locator('[data-engine=true]').getByText('Hand 1: the deal, the moves and the score are right').waitFor();
    });
    await test('whoever has no account sees a pasted record, and where it is none', async () => {
      const { page: other } = stranger;
      await other.goto(`${platform.url}/replay`);
      const field = other.getByRole('textbox', { name: 'The record' });
      await field.fill('[Rummyd "1"]\n[Variant "whist"]\n');
      await other.getByRole('button', { name: 'Show it' }).click();
      check(/Line 2, column \d+/.test(await other.getByRole('alert').innerText()), 'the line');
      await field.fill('');
      await other.getByRole('button', { name: 'Show it' }).click();
      await other.getByText('There’s no record here yet.').waitFor();
      await field.fill(record);
      equal(await violations(other), [], 'axe');
      await other.getByRole('button', { name: 'Show it' }).click();
      await shown(other);
      await becomes(() => moments(other), whole, 'moments');
      await other.reload();
      await shown(other);
    });
    await test('a file of several hands is chosen; a file that is too long is refused', async () => {
      const { page: other } = stranger;
      await other.getByRole('button', { name: 'Another record' }).click();
      const big = join(folder, 'big.txt');
      writeFileSync(big, Buffer.alloc((4 << 20) + 1, 0x61));
      await other.locator('input[type=file]').setInputFiles(big);
      await other.getByText('a record can have at most 4 MiB').waitFor();
      writeFileSync(join(folder, 'pool.txt'), simulated('pool101', 3));
      await other.locator('input[type=file]').setInputFiles(join(folder, 'pool.txt'));
      await shown(other);
      await other.getByRole('combobox', { name: 'Hand' }).selectOption({ index: 1 });
      check(/hand=2\b/.test(other.url()), other.url());
      await other.keyboard.press('End');
    });
    await test('another page may show a game in a frame, and no other page of ours', async () => {
      await page.goto(`${platform.url}/games/${id}/replay?turn=22`);
      await page.getByRole('button', { name: 'Share' }).click();
      const code = await page.getByRole('textbox', { name: 'Show it on your own page' }).inputValue();
      const now = await at(page);
      const host = createServer((_, answer) => answer.setHeader('Content-Type', 'text/html').end('<title>host</title>'));
      await new Promise((done) => host.listen(0, '127.0.0.1', done));
      const { page: other } = stranger;
      await other.goto(`http://127.0.0.1:${host.address().port}/`);
      const put = (path) => other.evaluate((src) => document.body.replaceChildren(Object.assign(document.createElement('iframe'), { src, width: 720, height: 540 })), platform.url + path);
      await put(code.match(/src="[^"]*(\/embed\/[^"]+)"/)[1]);
      await other.frameLocator('iframe').locator('.controls .count').waitFor();
      equal(await other.frameLocator('iframe').locator('.controls .count').innerText(), now, 'the moment');
      equal(await other.frameLocator('iframe').locator('header.top').count(), 0, 'headers');
      const refused = other.waitForEvent('console', (message) => /frame-ancestors/.test(message.text()));
      await put(`/games/${id}/replay`);
      await refused;
      host.close();
    });
    await test('nothing went wrong on the way', () => equal(errors, [], 'errors'));
  } finally {
    await context.close();
    await stranger.context.close();
    await platform.stop();
    rmSync(folder, { recursive: true });
  }
}
