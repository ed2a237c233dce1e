/* A whole game of Rummy 51 against bots on real parts: page, rummyd, PostgreSQL. Pictures of it land in
 * RUMMY_PICTURES (docs/images with `npm run pictures`), else in a temporary folder. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { JPEG_QUALITY, openPage } from './lib/browser.mjs';
import { becomes, check, equal, test } from './lib/harness.mjs';
import { Player } from './lib/player.mjs';
import { Platform } from './lib/server.mjs';

const NICK = 'Mia';
/** A reload and a crash in the middle of the game, at these own turns. */
const RELOAD_TURN = 3;
const CRASH_TURN = 5;
const TURNS_MAX = 120;
const WELCOME = 100;

async function enter(page, url, nick = NICK) {
  await page.goto(url);
  await page.getByLabel('Nickname (optional)').fill(nick);
  await page.getByRole('button', { name: 'Play now' }).click();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
}

async function sit(page) {
  await page.locator('[data-room="desert"], .room').first().getByRole('button', { name: 'Sit down' }).click();
  await page.waitForURL(/\/table\/\d+$/);
  await page.waitForSelector('.hand [data-card]', { timeout: 20_000 });
}

async function reload(page) {
  const hand = () =>
    page.evaluate(() => [...document.querySelectorAll('.hand [data-card]')].map((el) => el.dataset.card).sort().join());
  const before = await hand();
  await page.reload();
  await page.waitForSelector('.hand [data-card]');
  equal(await hand(), before, 'the hand after the reload');
}

/** Plays to the end; takes a picture when the table is rich. */
async function play(page, platform, picture) {
  const player = new Player(page);
  let best = 0;
  while (await player.waitTurn()) {
    check(player.turns < TURNS_MAX, `no end after ${TURNS_MAX} turns`);
    if (player.turns === RELOAD_TURN) await reload(page);
    if (player.turns === CRASH_TURN) {
      await platform.killAndRestart();
      await page.waitForSelector('[data-connection="open"]', { timeout: 20_000 });
      await player.waitTurn();
    }
    await player.draw();
    const { melds, own, hand } = await player.board();
    const rich = melds + 4 * Math.min(own, 2);
    if (rich > best && hand.length > 7) {
      best = rich;
      await player.group();
      await page.mouse.move(0, 0);
      await page.waitForTimeout(900);
      await picture('table');
    }
    await player.turn();
  }
  return player;
}

async function gain(page) {
  await page.waitForSelector('[data-gain-silver]', { timeout: 15_000 });
  return Number(await page.locator('[data-gain-silver]').getAttribute('data-gain-silver'));
}

async function purses(page) {
  const of = async (kind) => Number(await page.locator(`[data-purse="${kind}"] .chips`).innerText().then((t) => t.replace(/\D/g, '')));
  return { silver: await of('silver'), gold: await of('gold') };
}

export async function gameTests(browser) {
  const platform = new Platform();
  try {
    await platform.start();
    await playedTests(browser, platform);
  } finally {
    await platform.stop();
  }
}

async function playedTests(browser, platform) {
  const pictures = process.env.RUMMY_PICTURES ?? join(platform.folder, 'pictures');
  mkdirSync(pictures, { recursive: true });
  const { context, page, errors } = await openPage(browser, { viewport: { width: 1280, height: 800 } });
  const picture = (name, from = page) => from.screenshot({ path: join(pictures, `${name}.jpg`), quality: JPEG_QUALITY });
  const one = (statement) => platform.sql(statement)[0];
  let promised = null;
  try {
    await test('a guest enters and sees the lobby', async () => {
      await enter(page, platform.url);
      await page.waitForSelector('[data-room]');
      await picture('lobby');
      check((await page.locator('.room.locked').count()) >= 1, 'no room is locked');
    });
    await test('a game is played to its end through the page, over a reload and a crash of the server', async () => {
      await sit(page);
      const player = await play(page, platform, picture);
      console.log(`      ${player.turns} own turns, ${player.laid} hints taken`);
    });
    await test('the result shows the places, and the deal is verified', async () => {
      await page.locator('ol.scores > li').nth(3).waitFor();
      await page.waitForSelector('[data-verdict]', { timeout: 15_000 });
      equal(await page.locator('[data-verdict] li:not(.ok)').allInnerTexts(), [], 'what of the deal is not proved');
      await page.waitForSelector('[data-verdict="verified"]');
      const checks = await page.locator('[data-verdict] li.ok').allInnerTexts();
      check(checks.some((text) => /game’s engine/.test(text)), 'the engine has not dealt again');
      promised = await gain(page);
      await page.waitForTimeout(500);
      await picture('result');
      await page.keyboard.press('Escape');
      await page.waitForSelector('[data-seal="verified"]');
    });
    await test('the purses of the page are those of PostgreSQL', async () => {
      await page.goto(`${platform.url}/wallet`);
      await page.waitForSelector('[data-purse]');
      await page.waitForSelector('tr[data-cause]');
      const [silver, gold] = one(
        `SELECT COALESCE(SUM(amount) FILTER (WHERE currency = 'silver'), 0),
                COALESCE(SUM(amount) FILTER (WHERE currency = 'gold'), 0)
         FROM postings p JOIN accounts a ON a.id = p.account_id JOIN players q ON q.id = a.player_id
         WHERE q.nickname = '${NICK}' AND a.kind = 'purse'`,
      ).map(Number);
      await becomes(() => purses(page), { silver, gold }, 'the purses');
      equal(silver - WELCOME, promised, 'what the result promised');
    });
    await test('the game is in the history, with its record', async () => {
      await page.getByRole('link', { name: 'Games', exact: true }).click();
      await page.getByRole('link', { name: 'Record' }).first().click();
      await page.waitForSelector('pre');
      check((await page.locator('pre').innerText()).includes('rummy51'), 'the record names no variant');
      await page.waitForSelector('.fair.verified');
    });
    await test('the next game starts from the result, on a phone', () => phone(browser, platform, picture));
    await test('an account is made, left and entered again', () => account(browser, platform));
    await test('a seat given back before the game returns the stake', () => giveBack(browser, platform));
    await test('two people meet at one table', () => meet(browser, platform));
    await test('the page had no error', async () => equal(errors, [], 'errors'));
  } finally {
    await context.close();
  }
}

async function phone(browser, platform, picture) {
  const options = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
  const { context, page, errors } = await openPage(browser, options);
  await enter(page, platform.url, 'Petra');
  await sit(page);
  const player = new Player(page);
  for (let i = 0; i < 2 && (await player.waitTurn()); i++) await player.turn();
  await player.waitTurn();
  await player.draw();
  await page.waitForTimeout(600);
  await picture('phone', page);
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(over <= 0, `the page is ${over} px too wide`);
  equal(errors, [], 'errors of the page');
  await context.close();
}

async function account(browser, platform) {
  const { context, page, errors } = await openPage(browser);
  await page.goto(platform.url);
  await page.getByText('New account').click();
  await page.getByLabel('Nickname').fill('Noor');
  await page.getByLabel('Email').fill('noor@example.org');
  await page.getByLabel('Password').fill('seven sleeping camels');
  await page.getByRole('button', { name: 'Create account' }).click();
  await page.getByRole('heading', { name: 'Noor' }).waitFor();
  await page.getByRole('button', { name: 'Menu of Noor' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('Sign in', { exact: true }).first().click();
  await page.getByLabel('Email').fill('noor@example.org');
  await page.getByLabel('Password').fill('isn’t the one');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('wrong').waitFor();
  await page.getByLabel('Password').fill('seven sleeping camels');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Noor' }).waitFor();
  equal(errors, [], 'errors of the page');
  await context.close();
}

/** Long enough to do something while the table waits. */
const PATIENT_MS = 30_000;

async function takeSeat(page) {
  await page.getByRole('button', { name: 'Sit down' }).first().click();
  await page.waitForURL(/\/table\/\d+$/);
  await page.getByRole('heading', { name: 'Waiting for players' }).waitFor();
}

async function giveBack(browser, platform) {
  platform.sql(`UPDATE rooms SET fill_wait_ms = ${PATIENT_MS}`);
  const { context, page, errors } = await openPage(browser);
  await enter(page, platform.url, 'Paul');
  await takeSeat(page);
  await page.getByRole('button', { name: 'Leave the table' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
  await page.getByRole('link', { name: 'Wallet', exact: true }).click();
  await page.waitForSelector('tr[data-cause="refund"]');
  await becomes(() => purses(page), { silver: WELCOME, gold: 0 }, 'the purses');
  equal(errors, [], 'errors of the page');
  await context.close();
}

async function meet(browser, platform) {
  platform.sql(`UPDATE rooms SET fill_wait_ms = ${PATIENT_MS}`);
  const [anna, ben] = [await openPage(browser), await openPage(browser)];
  await enter(anna.page, platform.url, 'Anna');
  await takeSeat(anna.page);
  await enter(ben.page, platform.url, 'Ben');
  await takeSeat(ben.page);
  equal(new URL(ben.page.url()).pathname, new URL(anna.page.url()).pathname, 'the table of the second');
  await anna.page.locator('[data-seat]').getByText('Ben').waitFor();
  await ben.page.locator('[data-seat]').getByText('Anna').waitFor();
  for (const { context, errors } of [anna, ben]) {
    equal(errors, [], 'errors of the page');
    await context.close();
  }
}
