/* A whole game of Rummy 51 against bots with real components: page, rummyd, PostgreSQL. RUMMY_PICTURES is
 * the folder for screenshots of it (docs/images with `npm run screenshots`). */
import { join } from 'node:path';
import { JPEG_QUALITY, openPage, turnTo } from '../lib/browser.mjs';
import { PASSWORD, register } from '../lib/people.mjs';
import { Player } from '../lib/player.mjs';
import { sitInRoom } from '../lib/tables.mjs';
import { closeClean, expect, fitsWidth, note, test } from '../lib/test.mjs';

const NICK = 'Mia';
/** A reload and a crash in the middle of the game, in these turns of the player. */
const RELOAD_TURN = 3;
const CRASH_TURN = 5;
const TURNS_MAX = 120;
const WELCOME = 60;

async function picture(page, name) {
  if (!process.env.RUMMY_PICTURES) return;
  await page.mouse.move(0, 0);
  await page.screenshot({
    path: join(process.env.RUMMY_PICTURES, `${name}.jpg`),
    quality: JPEG_QUALITY,
    animations: 'disabled',
  });
}

async function enter(page, url, nick = NICK) {
  await page.goto(url);
  await page.getByLabel('Nickname (optional)').fill(nick);
  await page.getByRole('button', { name: 'Play now' }).click();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
}

async function sit(page) {
  await sitInRoom(page);
  await page.waitForURL(/\/table\/\d+$/);
  await page.waitForSelector('.hand [data-card]');
}

async function reload(page) {
  const hand = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.hand [data-card]')]
        .map((el) => el.dataset.card)
        .sort()
        .join(),
    );
  const before = await hand();
  await page.reload();
  await page.waitForSelector('.hand [data-card]');
  expect(await hand(), 'the hand after the reload').toEqual(before);
}

/** Plays to the end; takes a screenshot when the table has many melds. */
async function play(page, platform) {
  const player = new Player(page);
  let best = 0;
  while (await player.waitTurn()) {
    expect(player.turns < TURNS_MAX, `no end after ${TURNS_MAX} turns`).toBeTruthy();
    if (player.turns === RELOAD_TURN) await reload(page);
    if (player.turns === CRASH_TURN) {
      await platform.killAndRestart();
      await page.waitForSelector('[data-connection="open"]');
      await player.waitTurn();
    }
    await player.draw();
    const { melds, own, hand } = await player.board();
    const rich = melds + 4 * Math.min(own, 2);
    if (rich > best && hand.length > 7) {
      best = rich;
      await player.group();
      await picture(page, 'table');
    }
    await player.turn();
  }
  return player;
}

async function gain(page) {
  await page.waitForSelector('[data-gain-silver]');
  return Number(await page.locator('[data-gain-silver]').getAttribute('data-gain-silver'));
}

async function purses(page) {
  const of = async (kind) =>
    Number(
      await page
        .locator(`[data-purse="${kind}"] .chips`)
        .innerText()
        .then((t) => t.replace(/\D/g, '')),
    );
  return { silver: await of('silver'), gold: await of('gold') };
}

async function phone(browser, platform) {
  const options = {
    viewport: { width: 360, height: 740 },
    hasTouch: true,
    isMobile: true,
    deviceScaleFactor: 2,
  };
  const { context, page, errors } = await openPage(browser, options);
  await enter(page, platform.url, 'Petra');
  await sit(page);
  const player = new Player(page);
  for (let i = 0; i < 2 && (await player.waitTurn()); i++) await player.turn();
  await player.waitTurn();
  await player.draw();
  await picture(page, 'phone');
  await fitsWidth(page);
  expect(errors, 'errors of the page').toEqual([]);
  await context.close();
}

async function account(browser, platform) {
  const { context, page, errors } = await openPage(browser);
  await page.goto(platform.url);
  await register(page, 'Noor', 'noor@example.org');
  await page.locator('[data-progress]').getByText('Noor').waitFor();
  await page.getByRole('button', { name: 'Menu of Noor' }).click();
  await page.getByRole('menuitem', { name: 'Sign out' }).click();
  await page.getByText('Sign in', { exact: true }).first().click();
  await page.getByLabel('Email').fill('noor@example.org');
  await page.getByLabel('Password').fill('isn’t the one');
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('alert').getByText('wrong').waitFor();
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.locator('[data-progress]').getByText('Noor').waitFor();
  expect(errors, 'errors of the page').toEqual([]);
  await context.close();
}

/** Gives tests enough time to act while the table waits. */
const PATIENT_MS = 600_000;

async function takeSeat(page) {
  await sitInRoom(page);
  await page.waitForURL(/\/table\/\d+$/);
  await page.getByRole('heading', { name: 'Waiting for players' }).waitFor();
}

async function giveBack(paul, platform) {
  const { page } = paul;
  await enter(page, platform.url, 'Paul');
  await takeSeat(page);
  await page.getByRole('button', { name: 'Leave the table' }).click();
  await page.getByRole('button', { name: 'Leave', exact: true }).click();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
  await page.getByRole('link', { name: 'Wallet', exact: true }).click();
  await page.waitForSelector('tr[data-cause="refund"]');
  await expect.poll(() => purses(page), 'the purses').toEqual({ silver: WELCOME, gold: 0 });
}

/** A table that waits so long would attract players of this worker's next file. */
const givesBack = (page) =>
  page.evaluate(async () => {
    const { access } = JSON.parse(localStorage.getItem('rummyd:session'));
    const headers = { Authorization: `Bearer ${access}`, 'Idempotency-Key': crypto.randomUUID() };
    const path = `/v1/tables/${location.pathname.split('/')[2]}/seats/me`;
    return (await fetch(path, { method: 'DELETE', headers })).status;
  });

async function meet(browser, paul, platform) {
  const gero = await openPage(browser);
  await turnTo(paul.page, '/');
  await takeSeat(paul.page);
  await enter(gero.page, platform.url, 'Gero');
  await takeSeat(gero.page);
  expect(new URL(gero.page.url()).pathname, 'the table of the second').toEqual(
    new URL(paul.page.url()).pathname,
  );
  await paul.page.locator('[data-seat]').getByText('Gero').waitFor();
  await gero.page.locator('[data-seat]').getByText('Paul').waitFor();
  for (const { page } of [paul, gero])
    expect(await givesBack(page), 'the status of a seat given back').toBe(204);
  await closeClean(gero);
}

test.describe.serial('a guest', { tag: '@quick' }, () => {
  let opened;
  let page;
  let promised = null;

  test.beforeAll(async ({ browser }) => {
    opened = await openPage(browser, { viewport: { width: 1280, height: 800 }, sound: true });
    page = opened.page;
  });

  test.afterAll(() => closeClean(opened));

  test('a guest signs in and sees the lobby', async ({ platform }) => {
    await enter(page, platform.url);
    await page.waitForSelector('[data-room]');
    await picture(page, 'lobby');
    expect((await page.locator('.room.locked').count()) >= 1, 'no room is locked').toBeTruthy();
  });

  test('a game is played to its end through the page, over a reload and a crash of the server', async ({
    platform,
  }) => {
    await sit(page);
    const player = await play(page, platform);
    note(`${player.turns} own turns, ${player.laid} hints taken`);
  });

  test('the result shows the places, and the deal is verified', async () => {
    await page.locator('ol.scores > li').nth(3).waitFor();
    await page.waitForSelector('[data-verdict]');
    expect(
      await page.locator('[data-verdict] li:not(.ok)').allInnerTexts(),
      'unproved parts of the deal',
    ).toEqual([]);
    await page.waitForSelector('[data-verdict="verified"]');
    const checks = await page.locator('[data-verdict] li.ok').allInnerTexts();
    expect(
      checks.some((text) => /game’s engine/.test(text)),
      'the engine has not dealt again',
    ).toBeTruthy();
    promised = await gain(page);
    await expect(page.locator('[data-par="200"]')).toContainText(/200 strong bots .* you beat \d+% of them/);
    await picture(page, 'result');
    await page.keyboard.press('Escape');
    await page.waitForSelector('[data-seal="verified"]');
  });

  test('the purses of the page are those of PostgreSQL', async ({ platform }) => {
    await page.goto(`${platform.url}/wallet`);
    await page.waitForSelector('[data-purse]');
    await page.waitForSelector('tr[data-cause]');
    const [[silver, gold]] = platform.sql(
      `SELECT COALESCE(SUM(amount) FILTER (WHERE currency = 'silver'), 0),
                COALESCE(SUM(amount) FILTER (WHERE currency = 'gold'), 0)
         FROM postings p JOIN accounts a ON a.id = p.account_id JOIN players q ON q.id = a.player_id
         WHERE q.nickname = '${NICK}' AND a.kind = 'purse'`,
    );
    await expect
      .poll(() => purses(page), 'the purses')
      .toEqual({ silver: Number(silver), gold: Number(gold) });
    expect(Number(silver) - WELCOME, 'what the result promised').toEqual(promised);
  });

  test('the game is in the history, with its record', async () => {
    await page.getByRole('link', { name: 'Games', exact: true }).click();
    await page.getByRole('link', { name: 'Record' }).first().click();
    await page.waitForSelector('pre');
    expect(
      (await page.locator('pre').innerText()).includes('rummy51'),
      'the record names no variant',
    ).toBeTruthy();
    await page.waitForSelector('.fair.verified');
  });
  test('the page had no error', () => expect(opened.errors, 'errors').toEqual([]));
});

test('the next game starts from the result, on a phone', ({ browser, platform }) => phone(browser, platform));

test('a player registers, signs out, and signs in again', ({ browser, platform }) =>
  account(browser, platform));

test.describe.serial('at a table that waits', () => {
  let paul;

  test.beforeAll(async ({ browser, platform }) => {
    platform.fillAfter(PATIENT_MS);
    paul = await openPage(browser);
  });

  test.afterAll(async ({ platform }) => {
    platform.fillAfter();
    await closeClean(paul);
  });

  test('a seat given back before the game returns the stake', ({ platform }) => giveBack(paul, platform));

  test('two players meet at one table', ({ browser, platform }) => meet(browser, paul, platform));
});
