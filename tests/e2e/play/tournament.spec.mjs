/* A tournament on a real server: found from the lobby, entered and left on the page, filled up by bots,
 * played to its end by a player who goes from table to table, with its rounds, places, and prize. E2E_SHOTS
 * is the folder for screenshots. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { violations } from '../lib/axe.mjs';
import { openPage } from '../lib/browser.mjs';
import { LONG, until } from '../lib/harness.mjs';
import { Platform } from '../lib/server.mjs';
import { SessionPlayer } from '../lib/session.mjs';
import { announced } from '../lib/tournaments.mjs';
import { closeClean, expect, fitsWidth, test } from '../lib/test.mjs';

const PHONE = { width: 360, height: 740 };
const ROUNDS = 2;
const CUP = {
  name: 'Friday cup',
  kind: 'swiss',
  rounds: ROUNDS,
  variant: 'points',
  seats: 2,
  entry: 10,
  entries_max: 4,
  bots_to: 4,
  wait_s: 3600, // until `starts`
  break_s: 0,
  duplicate: true,
};

const announce = (platform, key, more = {}) =>
  announced(platform, key, { ...CUP, bot_level: 'easy', options: { turn_s: 120 }, ...more });

async function shot(page, name) {
  if (process.env.E2E_SHOTS)
    await page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}.png`), fullPage: true });
}

/** walked: `walk` shows such a page to axe; in the long form, axe checks it here as well. */
async function sound(page, { walked = false } = {}) {
  if (LONG || !walked) expect(await violations(page), 'what axe finds').toEqual([]);
  await fitsWidth(page);
}

/** Ends the wait for more players. */
const starts = (platform, id) =>
  platform.sql(`UPDATE tournaments SET starts_at = now() WHERE id = ${id} AND starts_at IS NOT NULL`);

const state = (page) => page.locator('section[data-state]').getAttribute('data-state');
const silver = (page) => page.locator('.purse .silver').innerText();

/** A player who enters without our page. */
async function another(platform, number) {
  const post = async (path, body, headers) => {
    const response = await fetch(`${platform.url}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    expect(response.ok, `${path}: ${response.status} ${await response.clone().text()}`).toBeTruthy();
    return response.json();
  };
  const { access_token: token } = await post('/v1/auth/guest', {});
  await post(
    `/v1/tournaments/${number}/entries`,
    {},
    { Authorization: `Bearer ${token}`, 'Idempotency-Key': randomUUID() },
  );
}

/** Plays to the end of the player's game at the table that the page leads to, by dropping at once; returns by
 * the button below the result. */
async function playTable(page) {
  const player = new SessionPlayer(page, { 1: 'drop' });
  player.moment = async () => {
    if (await page.getByRole('link', { name: CUP.name }).isVisible()) return { what: 'over' };
    return SessionPlayer.prototype.moment.call(player);
  };
  player.next = () => until(() => player.moment(), 'nothing to do came up');
  await player.play();
  expect(
    await page.getByRole('button', { name: 'Play again' }).count(),
    'a rematch at a table of a tournament',
  ).toBe(0);
  await page.getByRole('link', { name: CUP.name }).click();
  await page.waitForURL(/\/tournaments\/\d+$/);
}

/** Returns the link to the player's next table, or null once the tournament is over. */
async function nextTable(page) {
  const link = page.getByRole('link', { name: 'To your table' });
  const now = await until(
    async () => ((await link.isVisible()) ? 'table' : (await state(page)) === 'ended' && 'over'),
    'the tournament did not continue',
    120_000,
  );
  return now === 'table' ? link : null;
}

test.describe.configure({ mode: 'serial' });

/** A separate server with bots that do not pause to think, and another prize setting. */
let platform;
let opened;
let page;
let number;

test.beforeAll(async ({ browser }) => {
  platform = await new Platform().start({ bot_think_ms: 0 });
  platform.sql("UPDATE settings SET value = 'on' WHERE name = 'duplicate_prizes'");
  number = await announce(platform, platform.key('games'));
  opened = await openPage(browser, { viewport: PHONE, hasTouch: true, reducedMotion: 'reduce' });
  page = opened.page;
  await page.goto(platform.url);
  await page.getByRole('button', { name: 'Play now' }).click();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
});

test.afterAll(async () => {
  await closeClean(opened);
  await platform.stop();
});

test('a tournament is found from the lobby, entered, and left again', async () => {
  await page.getByRole('link', { name: 'Tournaments' }).first().click();
  await page.locator(`[data-tournament="${number}"]`).getByRole('link', { name: CUP.name }).click();
  await page.getByRole('button', { name: 'Enter for 10 chips' }).click();
  await page.locator('[data-hold]').waitFor();
  await until(async () => (await silver(page)).includes('50'), 'the purse did not show what was paid');
  await sound(page, { walked: true });
  await shot(page, 'tournament-entered');
  await page.getByRole('button', { name: 'Withdraw' }).click();
  if (!LONG) return;
  await page.getByRole('button', { name: 'Enter for 10 chips' }).waitFor();
  await until(async () => (await silver(page)).includes('60'), 'the entry did not come back');
  expect(
    platform.sql(
      "SELECT count(*) FROM postings p JOIN accounts a ON a.id = p.account_id WHERE a.kind = 'pot'",
    )[0],
    'postings of the pot',
  ).toEqual(['2']);
});

test('a refused entry is explained', async () => {
  const dear = await announce(platform, platform.key('games', 'dear'), { entry: 1_000_000 });
  await page.goto(`${platform.url}/tournaments/${dear}`);
  await page.getByRole('button', { name: 'Enter for 1,000,000 chips' }).click();
  await page
    .getByRole('alert')
    .getByText('You don’t have enough: the entry costs 1,000,000 chips.')
    .waitFor();
  expect(await page.locator('[data-hold]').count(), 'a hold for an entry that was refused').toBe(0);
  await sound(page);
  await shot(page, 'tournament-short');
  await page.locator('.own').getByRole('link', { name: 'Shop' }).click();
  await page.waitForURL(`${platform.url}/shop`);
});

/** Ends a page's wait for its next periodic reload (HEAL_MS of web/src/lib/lobby/reload.ts), so that it reloads
 * on the next report. */
async function listening(context, url) {
  const page = await context.newPage();
  await page.addInitScript(() => {
    const tick = window.setInterval;
    window.setInterval = (work, ms, ...more) => (ms >= 10_000 ? 0 : tick(work, ms, ...more));
  });
  const socket = page.waitForEvent('websocket');
  await page.goto(url);
  await (await socket).waitForEvent('framereceived');
  return page;
}

test('open pages show a new tournament and its entries without a reload', async () => {
  const key = platform.key('games', 'news');
  const listener = await listening(opened.context, `${platform.url}/tournaments`);
  await listener.locator('[data-tournament]').first().waitFor();
  const late = await announce(platform, key, { name: 'Late cup', bots_to: 0 });
  const row = listener.locator(`[data-tournament="${late}"]`);
  await row.getByText('0 of 4').waitFor();
  await another(platform, late);
  await row.getByText('1 of 4').waitFor();
  await row.getByRole('link').click();
  await listener.getByText('1 of 4').waitFor();
  await another(platform, late);
  await listener.getByText('2 of 4').waitFor();
  await expect(listener.locator('tbody tr'), 'entrants').toHaveCount(2);
  await listener.close();
});

test('a sit-and-go filled up by bots is played to its end in the page', async () => {
  await page.goto(`${platform.url}/tournaments/${number}`);
  await page.getByRole('button', { name: 'Enter for 10 chips' }).click();
  await page.locator('[data-hold]').waitFor();
  starts(platform, number);
  let rounds = 0;
  for (let link = await nextTable(page); link; link = await nextTable(page)) {
    expect(++rounds <= ROUNDS, 'a table too many').toBeTruthy();
    await shot(page, `tournament-round-${rounds}`);
    await link.click();
    await page.waitForSelector('.hand [data-card], .waiting', { timeout: 60_000 });
    await playTable(page);
  }
  expect(rounds, 'tables that were played').toEqual(ROUNDS);
  await until(
    async () => (await page.locator('[data-round="2"] ol li span.num').count()) === 4,
    'the last round has no results',
  );
  await page.getByRole('button', { name: 'Round 1' }).click();
  await expect(page.locator('[data-round="1"] .mine'), 'own tables of the first round').toHaveCount(1);
  await page.getByText(/You finished in place \d of 4/).waitFor();
  await page.locator('[data-prize]').getByText('10').waitFor();
  await expect(page.locator('tbody tr:not([data-compared])'), 'lines of the standings').toHaveCount(4);
  await sound(page, { walked: true });
  await shot(page, 'tournament-over');
  expect(platform.sql(`SELECT state FROM tournaments WHERE id = ${number}`)[0], 'its state').toEqual([
    'ended',
  ]);
});

test('results with the same cards are compared seat by seat', async () => {
  for (const round of [1, 2]) {
    await page.getByRole('button', { name: `Round ${round}` }).click();
    const shares = async () => (await page.locator('[data-compared] td:last-child').allInnerTexts()).sort();
    for (const seat of [1, 2]) {
      await page.getByRole('button', { name: `Seat ${seat}` }).click();
      await page.getByRole('heading', { name: `Seat ${seat} at all tables` }).waitFor();
      await until(
        async () => (await page.locator('[data-compared]').count()) === 2,
        'both tables are compared',
      );
      const told = String(await shares());
      expect(['0%,100%', '50%,50%'].includes(told), `shares of two: ${told}`).toBeTruthy();
    }
  }
  await page.getByText('Same deal for all').first().waitFor();
  await sound(page, { walked: true });
  await shot(page, 'tournament-compared');
});

test('its games can be replayed', async () => {
  await page
    .getByRole('link', { name: /^Replay table \d$/ })
    .first()
    .click();
  await page.waitForURL(/\/games\/\d+\/replay$/);
  await page.locator('[data-card]').first().waitFor();
  await page.goBack();
});

test(`a team is joined and left${LONG ? ', and its match is played to its end' : ''}`, async () => {
  const match = await announce(platform, platform.key('games', 'teams'), {
    kind: 'teams',
    rounds: undefined,
    duplicate: undefined,
  });
  await page.goto(`${platform.url}/tournaments/${match}`);
  const team = (n) => page.locator(`[data-team="${n}"]`);
  await team(2).getByRole('button', { name: 'Join team 2 for 10 chips' }).click();
  await team(2).getByText('your team').waitFor();
  await team(2).locator('li').waitFor();
  expect(await team(1).locator('li').count(), 'players of the other team').toBe(0);
  await expect(page.getByRole('button', { name: /^Join/ }), 'ways into a team for who is in one').toHaveCount(
    0,
  );
  await sound(page, { walked: true });
  await page.getByRole('button', { name: 'Withdraw' }).click();
  await team(1).getByRole('button', { name: 'Join team 1 for 10 chips' }).click();
  await team(1).getByText('your team').waitFor();
  starts(platform, match);
  await (await nextTable(page)).click();
  await page.waitForSelector('.hand [data-card], .waiting', { timeout: 60_000 });
  await playTable(page);
  expect(await nextTable(page), 'another table of a match').toEqual(null);
  await page.getByText(/^(Your team won|The other team won|The teams tied)\.$/).waitFor();
  for (const n of [1, 2])
    await until(async () => (await team(n).locator('li').count()) === 2, `bots fill team ${n}`);
  const [one, two] = [
    await team(1).locator('dd').allInnerTexts(),
    await team(2).locator('dd').allInnerTexts(),
  ];
  for (const [all, ...tables] of [one, two]) expect(tables.length, `points table by table: ${all}`).toBe(2);
  await page.locator('[data-prize]').getByText('10').waitFor();
  await sound(page, { walked: true });
  await shot(page, 'tournament-teams');
  expect(
    platform.sql(`SELECT sum(points) FROM tournament_seats WHERE tournament_id = ${match}`)[0],
    'points of both teams',
  ).toEqual([String(Number(one[0].replace('−', '-')) + Number(two[0].replace('−', '-')))]);
});

test('the page had no error in a tournament', () => expect(opened.errors, 'errors').toEqual([]));
