/* The game around the games on real parts (page, rummyd, PostgreSQL): two guests and a newcomer, their purses, a game of
 * theirs, what they are told while they look, their places, the end of a season by its job, friendship, an invitation. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { JPEG_QUALITY, openPage } from './lib/browser.mjs';
import { grow, seasonIsOver, settleGame } from './lib/games.mjs';
import { becomes, check, counted, equal, test } from './lib/harness.mjs';
import { person } from './lib/people.mjs';
import { Platform, ROOT } from './lib/server.mjs';

const SOON = { timeout: 20_000 }; // what the lobby brings by itself: within two seconds on a machine at rest

const WIDE = { viewport: { width: 1100, height: 800 } };

/** Follows a link of the page itself: nothing is loaded anew. */
const go = (page, name) => page.getByRole('link', { name, exact: true }).first().click();

/** The season's end, by the script that a scheduler calls. */
function endSeason(platform) {
  const key = platform.key('jobs');
  seasonIsOver(platform);
  execFileSync(join(ROOT, 'scripts/jobs/season-rollover'), { env: { ...process.env, RUMMYD_URL: platform.url, RUMMYD_API_KEY: key }, stdio: 'pipe' });
}

const idOf = (platform, nick) => platform.sql(`SELECT id FROM players WHERE nickname = '${nick}'`)[0][0];

async function purse(page, kind) {
  return Number((await page.locator(`[data-purse="${kind}"] .chips`).innerText()).replace(/\D/g, ''));
}

export async function progressTests(browser) {
  const platform = new Platform();
  try {
    await platform.start();
    const mia = await person(browser, platform.url, 'Mia', WIDE);
    const ben = await person(browser, platform.url, 'Ben', WIDE);
    const ids = { mia: idOf(platform, 'Mia'), ben: idOf(platform, 'Ben') };
    await chips(platform, mia, ids);
    await places(platform, mia, ids);
    await season(platform, mia);
    await friendship(platform, mia, ben, ids);
    await invitation(browser, platform, mia);
    await test('the pages had no error', async () => equal([mia.errors, ben.errors], [[], []], 'errors'));
    await Promise.all([mia.context.close(), ben.context.close()]);
  } finally {
    await platform.stop();
  }
}

async function chips(platform, { page }, ids) {
  await test('a guest sees their purse, the daily bonus to come, and where their chips are from', async () => {
    await go(page, 'Wallet');
    await page.locator('tr[data-cause=welcome]').waitFor();
    await becomes(async () => [await purse(page, 'silver'), await purse(page, 'gold')], [100, 0], 'the purses');
    await page.getByText('Next time you’ll get 40 silver.').waitFor();
    await page.getByText('0 days in a row').waitFor();
    await page.getByText('Finish a game today').waitFor();
  });
  await test('a game is settled while they look: they are told, and the purse changes by itself', async () => {
    settleGame(platform, ids.mia, ids.ben);
    await page.locator('[data-news]').waitFor(SOON);
    await page.locator('.bell .badge').waitFor();
    const gold = Number(platform.sql(`SELECT balance FROM accounts WHERE player_id = ${ids.mia} AND kind = 'purse' AND currency = 'gold'`)[0][0]);
    check(gold > 0, 'no gold came');
    await page.locator('[data-purse=gold]').getByText(String(gold)).waitFor(SOON);
    await page.reload();
    await page.locator('tr[data-cause=achievement]').first().waitFor();
    await page.getByText('1 day in a row').waitFor();
    await counted(page.locator('tr[data-cause=stake]'), 1, 'stakes in the history');
    await counted(page.locator('tr[data-cause=reward]'), 1, 'rewards in the history');
  });
  await test('what they were told is listed, and marked as read', async () => {
    await page.locator('.bell').click();
    await page.getByText('First game: Finish a game.').waitFor();
    await page.getByText(/You reached level \d/).first().waitFor();
    await page.getByRole('button', { name: 'Mark all as read' }).click();
    await page.getByText('You’re all caught up').waitFor();
    await counted(page.locator('.bell .badge'), 0, 'numbers at the bell');
    equal(platform.sql(`SELECT count(*) FROM notifications WHERE player_id = ${ids.mia} AND read_at IS NULL`), [['0']], 'unread in PostgreSQL');
    await page.reload();
    await page.getByText('You’re all caught up').waitFor();
  });
}

async function places(platform, { page }, ids) {
  await test('the profile shows the game, its record, and what was achieved', async () => {
    await page.getByRole('button', { name: 'Menu of Mia' }).click();
    await page.getByRole('menuitem', { name: 'Profile' }).click();
    await page.locator('tr[data-variant=rummy51]').waitFor();
    await becomes(() => page.locator('tr[data-variant=rummy51] td').nth(1).innerText(), '1', 'games');
    await page.locator('[data-achievement=first_game].reached').waitFor();
    await page.locator('[data-achievement=wins_10]').getByText('1 of 10').waitFor();
    await go(page, 'Record');
    await page.getByText('the record').waitFor();
    await go(page, 'Ben');
    await page.getByRole('heading', { level: 1, name: 'Ben' }).waitFor();
  });
  await test('they find their place on the leaderboards', async () => {
    grow(platform, ids.mia, 40, 6800);
    grow(platform, ids.ben, 29, 7900);
    await go(page, 'Ranks');
    const own = page.locator('tr.own');
    await own.getByText('Mia').waitFor();
    await becomes(async () => [await own.locator('td').first().innerText(), await own.locator('td').last().innerText()], ['2', '6800'], 'place and rating');
    await page.getByRole('button', { name: 'My friends' }).click();
    await page.locator('tr.own').waitFor();
    await counted(page.locator('tbody tr'), 1, 'lines among friends');
  });
}

async function season(platform, { page }) {
  await test('the league has a clock, a table and rules', async () => {
    await go(page, 'Leagues');
    await page.getByRole('heading', { name: 'Season 1' }).waitFor();
    check(/ends in \d+ (days?|h|min)/.test(await page.getByRole('timer').innerText()), 'no clock');
    await page.getByText('You: Desert, place 1, 40 games, rating 6800').waitFor();
    const lines = page.locator('section.list').first().locator('tbody tr');
    await becomes(async () => (await lines.allInnerTexts()).map((line) => line.split(/\s+/)[0]), ['1', '–'], 'places: too few games give none');
    await page.getByText('Up: a rating of 6700').waitFor();
  });
  await test('after the season’s end they read what came of it and why', async () => {
    endSeason(platform);
    await page.locator('[data-news]').waitFor(SOON);
    await page.reload();
    await page.getByRole('heading', { name: 'Season 2' }).waitFor();
    const row = page.locator('tr[data-reason=promoted]');
    await row.getByText('Your rating of 6800 reached the 6700 needed for promotion to the Tundra league.').waitFor();
    await row.getByText('+50').waitFor();
    await page.getByText('You: Tundra').waitFor();
    await page.locator('.bell').click();
    await page.locator('tr[data-kind=season].unread').waitFor();
    await page.locator('tr[data-kind=league_prize].unread').getByText('1st place in the Desert league').waitFor();
    await picture(page);
  });
}

/** The profile, for the README. */
async function picture(page) {
  if (!process.env.RUMMY_PICTURES) return;
  await page.getByRole('button', { name: 'Menu of Mia' }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.locator('[data-achievement=first_game].reached').waitFor();
  await page.screenshot({ path: join(process.env.RUMMY_PICTURES, 'profile.jpg'), quality: JPEG_QUALITY });
}

async function friendship(platform, mia, ben, ids) {
  await test('one asks, the other hears of it at once and accepts; both see it', async () => {
    await ben.page.goto(`${platform.url}/players/${ids.mia}`);
    await ben.page.getByRole('button', { name: 'Add friend' }).click();
    await ben.page.locator('[data-friendship=asked]').waitFor();
    await mia.page.locator('[data-news=friend]').getByText('Ben wants to be your friend').waitFor(SOON);
    await mia.page.locator('[data-news=friend]').click();
    await mia.page.getByRole('button', { name: 'Accept Ben' }).click();
    await mia.page.locator(`[data-friend="${ids.ben}"][data-state=friends]`).waitFor();
    await ben.page.locator('[data-friendship=friends]').waitFor(SOON);
  });
  await test('one is blocked and let in again, the friendship ended', async () => {
    await ben.page.getByRole('button', { name: 'Block' }).click();
    await ben.page.getByRole('button', { name: 'Blocked', pressed: true }).waitFor();
    await go(ben.page, 'Friends');
    await ben.page.getByRole('button', { name: 'Unblock Mia' }).click();
    await ben.page.locator(`[data-block="${ids.mia}"]`).waitFor({ state: 'detached' });
    await ben.page.getByRole('button', { name: 'Remove Mia' }).click();
    await ben.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await ben.page.locator('[data-friends=none]').waitFor();
    equal(platform.sql('SELECT count(*) FROM friends'), [['0']], 'friendships in PostgreSQL');
  });
}

async function invitation(browser, platform, { page }) {
  await test('a newcomer follows a link of invitation; both get their gold', async () => {
    await go(page, 'Friends');
    await go(page, 'Invitations');
    const link = await page.getByLabel('Your invitation link').inputValue();
    const noor = await openPage(browser, { reducedMotion: 'reduce' });
    await noor.page.goto(link);
    await noor.page.getByLabel('Nickname').fill('Noor');
    await noor.page.getByLabel('Email').fill('noor@example.org');
    await noor.page.getByLabel('Password').fill('seven sleeping camels');
    await noor.page.getByRole('button', { name: 'Create account' }).click();
    await noor.page.getByRole('heading', { name: 'Lobby' }).waitFor();
    await noor.page.locator('.purse .gold', { hasText: /^\s*10(?!\d)/ }).waitFor();
    await page.reload();
    await page.locator('tr[data-state=open]').getByText('Noor').waitFor();
    platform.sql("UPDATE players SET level = 3 WHERE nickname = 'Noor'");
    platform.sql('SELECT do_counts_due(100)');
    await page.locator('[data-news]').first().waitFor(SOON);
    await page.reload();
    await page.locator('tr[data-state=paid]').getByText('Noor').waitFor();
    await page.getByText('1 of up to 50 rewards').waitFor();
    equal(noor.errors, [], 'errors of the page');
    await noor.context.close();
  });
  await test('a guest becomes an account, and sets a limit that a room keeps to', async () => {
    await page.getByRole('button', { name: 'Menu of Mia' }).click();
    await page.getByRole('menuitem', { name: 'Account' }).click();
    await page.getByLabel('Email').fill('mia@example.org');
    await page.getByLabel('Password').fill('seven sleeping camels');
    await page.getByRole('button', { name: 'Create account' }).click();
    await page.locator('[data-kind=registered]').waitFor();
    await page.getByLabel('Take a break for').selectOption({ label: 'one day' });
    await page.getByRole('button', { name: 'Save limits' }).click();
    await page.getByText('Saved.').waitFor();
    await go(page, 'Lobby');
    await page.getByRole('button', { name: 'Sit down' }).first().click();
    await page.getByRole('alert').getByText('taking a break from playing').waitFor();
  });
}
