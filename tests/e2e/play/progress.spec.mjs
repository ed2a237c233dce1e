/* The pages around the games with real components (page, rummyd, PostgreSQL): two guests and a newcomer,
 * their purses, a game that they played, notifications, leaderboards, the end of a season by its job,
 * friendship, an invitation. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { JPEG_QUALITY, openPage } from '../lib/browser.mjs';
import { grow, seasonIsOver, settleGame } from '../lib/games.mjs';
import { person } from '../lib/people.mjs';
import { Platform, ROOT } from '../lib/server.mjs';
import { sitInRoom } from '../lib/tables.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

const WIDE = { viewport: { width: 1100, height: 800 } };

/** Follows a link within the page, without a reload. */
const go = (page, name) => page.getByRole('link', { name, exact: true }).first().click();

/** Ends the season with the script that a scheduler calls; its games were written without opponents. */
function endSeason(platform) {
  const key = platform.key('jobs');
  platform.sql("UPDATE settings SET value = '0' WHERE name = 'prize_people_min' RETURNING name");
  seasonIsOver(platform);
  execFileSync(join(ROOT, 'scripts/jobs/season-rollover'), {
    env: { ...process.env, RUMMYD_URL: platform.url, RUMMYD_API_KEY: key },
    stdio: 'pipe',
  });
}

const idOf = (platform, nick) => platform.sql(`SELECT id FROM players WHERE nickname = '${nick}'`)[0][0];

async function purse(page, kind) {
  return Number((await page.locator(`[data-purse="${kind}"] .chips`).innerText()).replace(/\D/g, ''));
}

/** The profile, for the README. */
async function picture(page) {
  if (!process.env.RUMMY_PICTURES) return;
  await page.getByRole('button', { name: 'Menu of Mia' }).click();
  await page.getByRole('menuitem', { name: 'Profile' }).click();
  await page.locator('[data-achievement=first_game].reached').waitFor();
  await page.screenshot({ path: join(process.env.RUMMY_PICTURES, 'profile.jpg'), quality: JPEG_QUALITY });
}

test.describe.configure({ mode: 'serial' });

/** A separate server, because ranks and the season's end concern all of its players. */
let platform;
let mia;
let ben;
let ids;

test.beforeAll(async ({ browser }) => {
  platform = await new Platform().start();
  mia = await person(browser, platform.url, 'Mia', WIDE);
  ben = await person(browser, platform.url, 'Ben', WIDE);
  ids = { mia: idOf(platform, 'Mia'), ben: idOf(platform, 'Ben') };
});

test.afterAll(async () => {
  await closeClean(mia, ben);
  await platform.stop();
});

test('a guest sees their wallet, the next daily bonus, and the origin of their chips', async () => {
  await go(mia.page, 'Wallet');
  await mia.page.locator('tr[data-cause=welcome]').waitFor();
  await expect
    .poll(async () => [await purse(mia.page, 'silver'), await purse(mia.page, 'gold')], 'the purses')
    .toEqual([60, 0]);
  await mia.page.getByText('Next time you’ll get 40 silver.').waitFor();
  await mia.page.getByText('0 days in a row').waitFor();
  await mia.page.getByText('Finish a game today').waitFor();
});

test('when a game settles, its players get a notification and the purse updates', async () => {
  settleGame(platform, ids.mia, ids.ben);
  await mia.page.locator('[data-news]').waitFor();
  await mia.page.locator('.bell .badge').waitFor();
  const gold = Number(
    platform.sql(
      `SELECT balance FROM accounts WHERE player_id = ${ids.mia} AND kind = 'purse' AND currency = 'gold'`,
    )[0][0],
  );
  expect(gold > 0, 'no gold came').toBeTruthy();
  await mia.page.locator('[data-purse=gold]').getByText(String(gold)).waitFor();
  await mia.page.reload();
  await mia.page.locator('tr[data-cause=achievement]').first().waitFor();
  await mia.page.getByText('1 day in a row').waitFor();
  await expect(mia.page.locator('tr[data-cause=stake]'), 'stakes in the history').toHaveCount(1);
  await expect(mia.page.locator('tr[data-cause=reward]'), 'rewards in the history').toHaveCount(1);
});

test('notifications are listed and marked as read', async () => {
  await mia.page.locator('.bell').click();
  await mia.page.getByText('First game: Finish a game.').waitFor();
  await mia.page
    .getByText(/You reached level \d/)
    .first()
    .waitFor();
  await mia.page.getByRole('button', { name: 'Mark all as read' }).click();
  await mia.page.getByText('You’re all caught up').waitFor();
  await expect(mia.page.locator('.bell .badge'), 'numbers at the bell').toHaveCount(0);
  expect(
    platform.sql(`SELECT count(*) FROM notifications WHERE player_id = ${ids.mia} AND read_at IS NULL`),
    'unread in PostgreSQL',
  ).toEqual([['0']]);
  await mia.page.reload();
  await mia.page.getByText('You’re all caught up').waitFor();
});

test('the profile shows the game, its record, and the achievements', async () => {
  await mia.page.getByRole('button', { name: 'Menu of Mia' }).click();
  await mia.page.getByRole('menuitem', { name: 'Profile' }).click();
  await mia.page.locator('tr[data-variant=rummy51]').waitFor();
  await expect
    .poll(() => mia.page.locator('tr[data-variant=rummy51] td').nth(1).innerText(), 'games')
    .toBe('1');
  await mia.page.locator('[data-achievement=first_game].reached').waitFor();
  await mia.page.locator('[data-achievement=wins_10]').getByText('1 of 10').waitFor();
  await go(mia.page, 'Record');
  await mia.page.getByText('the record').waitFor();
  await go(mia.page, 'Ben');
  await mia.page.getByRole('heading', { level: 1, name: 'Ben' }).waitFor();
});

test('they find their place on the leaderboards', async () => {
  grow(platform, ids.mia, 40, 6800);
  grow(platform, ids.ben, 29, 7900);
  await go(mia.page, 'Ranks');
  const own = mia.page.locator('tr.own');
  await own.getByText('Mia').waitFor();
  await expect
    .poll(
      async () => [await own.locator('td').first().innerText(), await own.locator('td').last().innerText()],
      'place and rating',
    )
    .toEqual(['2', '6800']);
  await mia.page.getByRole('button', { name: 'My friends' }).click();
  await mia.page.locator('tr.own').waitFor();
  await expect(mia.page.locator('tbody tr'), 'lines among friends').toHaveCount(1);
});

test('the league has a clock, a table and rules', async () => {
  await go(mia.page, 'Leagues');
  await mia.page.getByRole('heading', { name: 'Season 1' }).waitFor();
  expect(
    /ends in \d+ (days?|h|min)/.test(await mia.page.getByRole('timer').innerText()),
    'no clock',
  ).toBeTruthy();
  await mia.page.getByText('You: Desert, place 1, 40 games, rating 6800').waitFor();
  const lines = mia.page.locator('section.list').first().locator('tbody tr');
  await expect
    .poll(
      async () => (await lines.allInnerTexts()).map((line) => line.split(/\s+/)[0]),
      'places: too few games give none',
    )
    .toEqual(['1', '–']);
  await mia.page.getByText('Promoted: a rating of 6700').waitFor();
});

test('after the season’s end they see the result and its reason', async () => {
  endSeason(platform);
  await mia.page.locator('[data-news]').waitFor();
  await mia.page.reload();
  await mia.page.getByRole('heading', { name: 'Season 2' }).waitFor();
  const row = mia.page.locator('tr[data-reason=promoted]');
  await row
    .getByText('Your rating of 6800 reached the 6700 needed for promotion to the Tundra league.')
    .waitFor();
  await row.getByText('+50').waitFor();
  await mia.page.getByText('You: Tundra').waitFor();
  await mia.page.locator('.bell').click();
  await mia.page.locator('tr[data-kind=season].unread').waitFor();
  await mia.page
    .locator('tr[data-kind=league_prize].unread')
    .getByText('1st place in the Desert league')
    .waitFor();
  await picture(mia.page);
});

test('a friend request arrives at once, and both see it accepted', async () => {
  await ben.page.goto(`${platform.url}/players/${ids.mia}`);
  await ben.page.getByRole('button', { name: 'Add friend' }).click();
  await ben.page.locator('[data-friendship=asked]').waitFor();
  await mia.page.locator('[data-news=friend]').getByText('Ben wants to be your friend').waitFor();
  await mia.page.locator('[data-news=friend]').click();
  await mia.page.getByRole('button', { name: 'Accept Ben' }).click();
  await mia.page.locator(`[data-friend="${ids.ben}"][data-state=friends]`).waitFor();
  await ben.page.locator('[data-friendship=friends]').waitFor();
});

test('a player is blocked and unblocked, and the friendship ends', async () => {
  await ben.page.getByRole('button', { name: 'Block' }).click();
  await ben.page.getByRole('button', { name: 'Blocked', pressed: true }).waitFor();
  await go(ben.page, 'Friends');
  await ben.page.getByRole('button', { name: 'Unblock Mia' }).click();
  await ben.page.locator(`[data-block="${ids.mia}"]`).waitFor({ state: 'detached' });
  await ben.page.getByRole('button', { name: 'Remove Mia' }).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await ben.page.locator('[data-friends=none]').waitFor();
  expect(platform.sql('SELECT count(*) FROM friends'), 'friendships in PostgreSQL').toEqual([['0']]);
});

test('a newcomer follows a link of invitation; both get their gold', async ({ browser }) => {
  await go(mia.page, 'Friends');
  await go(mia.page, 'Invitations');
  const link = await mia.page.getByLabel('Your invitation link').inputValue();
  const noor = await openPage(browser, { reducedMotion: 'reduce' });
  await noor.page.goto(link);
  await noor.page.getByText('New account', { exact: true }).click();
  await noor.page.getByLabel('Nickname').fill('Noor');
  await noor.page.getByLabel('Email').fill('noor@example.org');
  await noor.page.getByLabel('Password').fill('seven sleeping camels');
  await noor.page.getByRole('button', { name: 'Create account' }).click();
  await noor.page.getByRole('heading', { name: 'Lobby' }).waitFor();
  await mia.page.reload();
  await mia.page.locator('tr[data-state=open]').getByText('Noor').waitFor();
  platform.sql("UPDATE settings SET value = '0' WHERE name = 'invite_opponents'");
  platform.sql(
    "INSERT INTO player_stats (player_id, variant, games, rated) SELECT id, 'straight', 10, 10 FROM players WHERE nickname = 'Noor'",
  );
  platform.sql("UPDATE players SET email_verified_at = now() WHERE nickname = 'Noor'");
  platform.sql('SELECT do_counts_due(100)');
  await noor.page.reload();
  await noor.page.locator('.purse .gold', { hasText: /^\s*10(?!\d)/ }).waitFor();
  await mia.page.locator('[data-news]').first().waitFor();
  await mia.page.reload();
  await mia.page.locator('tr[data-state=paid]').getByText('Noor').waitFor();
  await mia.page.getByText('1 of up to 50 rewards').waitFor();
  expect(noor.errors, 'errors of the page').toEqual([]);
  await noor.context.close();
});

test('a guest becomes an account, and sets a limit that a room keeps to', async () => {
  await mia.page.getByRole('button', { name: 'Menu of Mia' }).click();
  await mia.page.getByRole('menuitem', { name: 'Account' }).click();
  await mia.page.getByLabel('Email').fill('mia@example.org');
  await mia.page.getByLabel('Password').fill('seven sleeping camels');
  await mia.page.getByRole('button', { name: 'Create account' }).click();
  await mia.page.locator('[data-kind=registered]').waitFor();
  await mia.page.getByLabel('Take a break for').selectOption({ label: 'one day' });
  await mia.page.getByRole('button', { name: 'Save limits' }).click();
  await mia.page.getByText('Saved.').waitFor();
  await go(mia.page, 'Lobby');
  await sitInRoom(mia.page);
  await mia.page.getByRole('alert').getByText('taking a break from playing').waitFor();
});

test('the pages had no error', () => expect([mia.errors, ben.errors], 'errors').toEqual([[], []]));
