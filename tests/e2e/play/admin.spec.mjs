/* The operators' page with real components (page, rummyd, PostgreSQL, a fake Stripe): a key, the sections
 * that its role shows, and an operator's daily work. E2E_SHOTS is the folder for a screenshot of each section
 * on a phone and on a laptop. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { violations } from '../lib/axe.mjs';
import { openPage, turnTo } from '../lib/browser.mjs';
import { grow, seasonIsOver, settleGame } from '../lib/games.mjs';
import { LONG, until } from '../lib/harness.mjs';
import { Platform } from '../lib/server.mjs';
import { startStripe } from '../lib/stripe.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

const SECTIONS = {
  '': 'Overview',
  players: 'Players',
  reports: 'Reports',
  clubs: 'Clubs',
  collusion: 'Collusion',
  tables: 'Tables',
  games: 'Records',
  'lost-tables': 'Lost tables',
  rooms: 'Rooms',
  tournaments: 'Tournaments',
  achievements: 'Achievements',
  seasons: 'Season 2',
  orders: 'Orders',
  flags: 'Flags',
  grants: 'Grants',
  packs: 'Packs',
  books: 'Ledger',
  jobs: 'Jobs',
  webhooks: 'Webhooks',
  keys: 'API keys',
  audit: 'Audit log',
};
const SIZES = { phone: { width: 360, height: 740 }, laptop: { width: 1366, height: 768 } };

/** Creates a guest over REST; returns the player and their token. */
async function guest(platform, nickname) {
  const body = JSON.stringify({ nickname });
  const response = await fetch(`${platform.url}/v1/auth/guest`, {
    method: 'POST',
    body,
    headers: { 'Content-Type': 'application/json' },
  });
  const { player, access_token } = await response.json();
  return { id: player.id, token: access_token };
}

/** A player's request over REST. */
async function ask(platform, token, path, body) {
  const headers = {
    'Content-Type': 'application/json',
    Authorization: `Bearer ${token}`,
    'Idempotency-Key': randomUUID(),
  };
  const response = await fetch(`${platform.url}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    headers,
  });
  expect(response.ok, `${path}: ${response.status} ${await response.clone().text()}`).toBeTruthy();
  return response.json();
}

async function enter(page, platform, key, path = '/admin/') {
  await page.goto(`${platform.url}${path}`);
  await page.getByLabel('API key').fill(key);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
}

const dialog = (page) => page.getByRole('dialog');

/** Opens an action, fills in its fields, confirms it. */
async function act(page, name, values = {}, of = page) {
  await of.getByRole('button', { name, exact: false }).first().click();
  for (const [label, value] of Object.entries(values)) {
    const field = dialog(page).getByLabel(label, { exact: false }).first();
    if (typeof value === 'boolean') await field.setChecked(value);
    else if ((await field.evaluate((el) => el.tagName)) === 'SELECT') await field.selectOption(value);
    else await field.fill(value);
  }
  await dialog(page).locator('form button').first().click();
}

const done = (page) => dialog(page).waitFor({ state: 'detached' });

async function shot(page, name, size) {
  if (process.env.E2E_SHOTS)
    await page.screenshot({
      path: join(process.env.E2E_SHOTS, `admin-${name}-${size}.png`),
      fullPage: true,
      animations: 'disabled',
    });
}

/** Elements that overflow the page sideways. */
const wide = (page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);

test.describe.configure({ mode: 'serial' });

/** A separate server with a shop, and lists that contain only this file's data. */
let platform;
let stripe;
let opened;
let page;
let key;
let mia;
let ben;

test.beforeAll(async ({ browser }) => {
  stripe = await startStripe();
  platform = await new Platform().start(stripe.flags, stripe.env);
  mia = await guest(platform, 'Mia');
  ben = await guest(platform, 'Ben');
  opened = await openPage(browser, { viewport: SIZES.laptop, reducedMotion: 'reduce' });
  page = opened.page;
  key = platform.key('owner');
});

test.afterAll(async () => {
  await closeClean(opened);
  await platform.stop();
  await stripe.stop();
});

test('an unknown API key is refused and not kept', async () => {
  await page.goto(`${platform.url}/admin/players`);
  await page.getByLabel('API key').fill(`rk_${'x'.repeat(43)}`);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').getByText('api_key_invalid').waitFor();
  expect(await page.evaluate(() => sessionStorage.length), 'what the tab keeps').toBe(0);
});

test('every section of the list is visible', async () => {
  await enter(page, platform, platform.key('owner', 'list'));
  const list = page.getByRole('navigation');
  for (const [width, height] of [
    [1366, 768],
    [1366, 650],
    [1920, 1080],
    [768, 1024],
    [768, 768],
  ]) {
    await page.setViewportSize({ width, height });
    const unfold = page.getByRole('button', { name: 'Sections' });
    if (await unfold.isVisible()) await unfold.click();
    for (const name of Object.values(SECTIONS).filter((one) => !/^Season/.test(one)))
      await expect(list.getByRole('link', { name }).first(), `${name} at ${width}x${height}`).toBeInViewport({
        ratio: 1,
      });
    if (await unfold.isVisible()) await unfold.click();
  }
  await page.setViewportSize(SIZES.laptop);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
});

test('a role gets only its own links, and a notice on any other page', async () => {
  await enter(page, platform, platform.key('support'), '/admin/keys');
  await page.getByRole('heading', { name: 'Not available with this key' }).waitFor();
  const links = await page.getByRole('navigation').getByRole('link').allInnerTexts();
  expect(links.includes('Players') && links.includes('Reports'), `links: ${links}`).toBeTruthy();
  expect(
    !links.includes('API keys') && !links.includes('Audit log') && !links.includes('Seasons'),
    `links: ${links}`,
  ).toBeTruthy();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('API key').waitFor();
  expect(await page.evaluate(() => sessionStorage.length), 'what the tab keeps').toBe(0);
});

test('the key stays in its tab: it survives a reload, and nothing else stores it', async () => {
  await enter(page, platform, key);
  await page.reload();
  await page.getByRole('heading', { name: 'Overview' }).waitFor();
  expect(await page.evaluate(() => [localStorage.length, document.cookie]), 'what outlives the tab').toEqual([
    0,
    '',
  ]);
  const other = await opened.context.newPage();
  await other.goto(`${platform.url}/admin/`);
  await other.getByLabel('API key').waitFor();
  await other.close();
});

test('no player loads it', async () => {
  const own = /src="(\/assets\/[^"]+)"/.exec(await (await fetch(`${platform.url}/admin/`)).text())?.[1];
  expect(own, 'the operators’ page has no script').toBeTruthy();
  const loaded = [];
  const other = await opened.context.newPage();
  other.on('request', (request) => loaded.push(new URL(request.url()).pathname));
  await other.goto(platform.url);
  await other.getByRole('button', { name: 'Play now' }).waitFor();
  expect(loaded.length > 2 && !loaded.includes(own), `loaded: ${loaded}`).toBeTruthy();
  await other.close();
});

test('a club is reported, found from the report, renamed, cleared and closed', async () => {
  platform.sql(
    "INSERT INTO clubs (name, name_folded, about, members_n) VALUES ('Rude Club', 'rude club', 'Rude words.', 1)",
  );
  platform.sql(
    `INSERT INTO club_members (club_id, player_id, role) SELECT id, ${ben.id}, 'owner' FROM clubs`,
  );
  const [[id]] = platform.sql('SELECT id FROM clubs');
  await ask(platform, mia.token, `/v1/clubs/${id}/reports`, { reason: 'club_name' });
  await page.getByRole('navigation').getByRole('link', { name: 'Reports' }).click();
  await page.getByText('Rude words.').waitFor();
  await page.getByRole('link', { name: `Club ${id}` }).click();
  await page.getByRole('heading', { level: 1, name: 'Rude Club' }).waitFor();
  await act(page, 'Rename', { Name: 'admin', Reason: 'x' });
  await dialog(page).locator('[data-fault="/name"]').waitFor();
  await dialog(page).getByLabel('Name').fill('Club 1');
  await dialog(page).locator('form button').first().click();
  await done(page);
  await page.getByRole('heading', { level: 1, name: 'Club 1' }).waitFor();
  await act(page, 'Clear description', { Reason: 'Rude.' });
  await done(page);
  await page.getByRole('button', { name: 'Clear description' }).waitFor({ state: 'detached' });
  await page.setViewportSize(SIZES.phone);
  await expect.poll(() => wide(page), 'too wide by').toBe(0);
  await shot(page, 'club', 'phone');
  expect(await violations(page), 'what axe finds').toEqual([]);
  await page.setViewportSize(SIZES.laptop);
  await act(page, 'Close club', { Reason: 'Rude all the same.' });
  await done(page);
  await page.getByRole('heading', { level: 1, name: 'Clubs' }).waitFor();
  expect(platform.sql('SELECT count(*) FROM clubs'), 'clubs').toEqual([['0']]);
  expect(
    platform.sql("SELECT data->>'state' FROM notifications WHERE kind = 'club' ORDER BY id"),
    'notifications of the owner',
  ).toEqual([['renamed'], ['cleared'], ['closed']]);
});

test('a player is found by name, banned, and unbanned, each with a reason', async () => {
  await page.getByRole('link', { name: 'Players' }).click();
  await page.getByLabel('ID or start of the nickname').fill('mi');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('link', { name: 'Mia' }).click();
  await page.getByRole('heading', { level: 1, name: 'Mia' }).waitFor();
  await act(page, 'Ban', { Reason: 'Two accounts at one table.' });
  await done(page);
  await page.getByRole('button', { name: 'Lift the ban' }).waitFor();
  expect(platform.sql(`SELECT banned_at IS NOT NULL FROM players WHERE id = ${mia.id}`), 'banned').toEqual([
    ['t'],
  ]);
  const refused = await fetch(`${platform.url}/v1/me`, {
    headers: { Authorization: `Bearer ${mia.token}` },
  });
  expect(refused.status, 'a token of the banned player').toBe(401);
  await act(page, 'Lift the ban', { Reason: 'It was her sister.' });
  await done(page);
  await page.getByRole('button', { name: 'Ban', exact: true }).waitFor();
  await page.getByText('Two accounts at one table.').waitFor();
});

test('an invalid field is marked, the error contains its pointer, and nothing changes', async () => {
  await act(page, 'Rename', { Nickname: 'admin', Reason: 'x' });
  await dialog(page).locator('[data-fault="/nickname"]').waitFor();
  await dialog(page).getByRole('alert').getByText('/nickname').waitFor();
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await done(page);
  expect(platform.sql(`SELECT nickname FROM players WHERE id = ${mia.id}`), 'the name').toEqual([['Mia']]);
});

test('a note, and a mute of two hours', async () => {
  await act(page, 'Add a note', { Note: 'Asked for a new password.' });
  await done(page);
  await page.getByText('Asked for a new password.').waitFor();
  await act(page, 'Mute', { Hours: '2', Reason: 'Insults.' });
  await done(page);
  await page.getByText('mute 2 h').waitFor();
});

test('a small grant moves at once, a large one waits for a second person, who approves it', async ({
  browser,
}) => {
  await act(page, 'Give or take chips', {
    Currency: 'gold',
    Amount: '900',
    Reason: 'compensation',
    Note: 'table 917 broke off',
  });
  await dialog(page).getByText('Waiting for a second person').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('link', { name: 'Grants' }).first().click();
  await act(page, 'Approve');
  await dialog(page).getByRole('alert').waitFor(); // a grant to oneself needs another approver
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  const second = await openPage(browser, { viewport: SIZES.laptop });
  await enter(second.page, platform, platform.key('money', 'Bob'), '/admin/grants?state=waiting');
  await act(second.page, 'Approve');
  await done(second.page);
  await second.page.getByText('Nothing found.').waitFor();
  expect(second.errors, 'errors').toEqual([]);
  await second.context.close();
  expect(
    platform.sql(
      `SELECT balance FROM accounts WHERE player_id = ${mia.id} AND kind = 'purse' AND currency = 'gold'`,
    ),
    'gold',
  ).toEqual([['900']]);
});

test('an order is refunded: the money by the provider, the gold from the purse', async () => {
  await ask(platform, ben.token, '/v1/shop/orders', { pack: 'gold_300', provider: 'stripe' });
  await stripe.pay(platform.url);
  await page.getByRole('link', { name: 'Orders' }).first().click();
  await page.getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('heading', { name: 'Order 1' }).waitFor();
  await act(page, 'Refund', { Reason: 'Bought twice.' });
  await done(page);
  await page.getByText('refund done').waitFor();
  expect(
    platform.sql(
      `SELECT o.state, a.balance FROM shop_orders o, accounts a WHERE a.player_id = o.player_id AND a.kind = 'purse' AND a.currency = 'gold'`,
    ),
    'order and purse',
  ).toEqual([['refunded', '0']]);
});

test('the ledger is proved', async () => {
  await page.getByRole('link', { name: 'Ledger' }).click();
  await page.getByRole('button', { name: 'Verify the ledger' }).click();
  await page.locator('[data-clean=true]').waitFor();
});

test('the overview shows pending work, the nodes, and the activity of this node', async () => {
  platform.sql(
    "UPDATE jobs SET done_at = now() - interval '1 year', since = now() - interval '1 year' WHERE job = 'upkeep'",
  );
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.locator('[data-waiting=jobs]').getByText('1', { exact: true }).waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Jobs 1 waiting' }).waitFor();
  await page.getByRole('row', { name: /n1 alive/ }).waitFor();
  await page.getByText('Requests per second').waitFor();
});

test('a drain is started and canceled', async () => {
  const state = () => platform.sql('SELECT state FROM node_leases')[0][0];
  await act(page, 'Drain: n1');
  await dialog(page).getByText('to hand over').last().waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await done(page);
  await page.getByRole('row', { name: /n1 handing over its tables/ }).waitFor();
  await until(() => state() === 'draining', 'n1 drains');
  await act(page, 'Cancel drain: n1');
  await dialog(page).getByText('It takes tables again').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await done(page);
  await page.getByRole('row', { name: /n1 alive/ }).waitFor();
  await until(() => state() === 'ready', 'n1 takes tables');
  await expect(
    page.getByRole('button', { name: 'Rebalance tables' }),
    'buttons offered with a single node',
  ).toHaveCount(0);
});

test('the tables are spread over the nodes that live', async () => {
  platform.sql("INSERT INTO nodes (name, epoch) VALUES ('n2', 900)");
  platform.sql(
    "INSERT INTO node_leases (node, epoch, state, alive_at) VALUES ('n2', 900, 'starting', now() + interval '1 minute')",
  );
  await page.getByRole('button', { name: 'Refresh' }).click();
  await act(page, 'Rebalance tables');
  await dialog(page).getByText('The tables are already balanced').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await done(page);
  platform.sql("DELETE FROM node_leases WHERE node = 'n2'");
  platform.sql("DELETE FROM nodes WHERE name = 'n2'");
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByRole('button', { name: 'Rebalance tables' }).waitFor({ state: 'detached' });
});

test('a room is edited, and a concurrent change is not overwritten', async () => {
  await page.getByRole('link', { name: 'Rooms' }).click();
  await act(page, 'Edit: Desert', { Stake: '12' });
  await done(page);
  await page
    .getByRole('row', { name: /Desert/ })
    .getByRole('cell', { name: '12' })
    .waitFor();
  await page.getByRole('button', { name: 'Edit: Desert' }).click();
  platform.sql("UPDATE rooms SET reward = 33 WHERE id = 'desert'");
  await dialog(page).getByLabel('Stake').fill('14');
  await dialog(page).getByRole('button', { name: 'Edit' }).click();
  await dialog(page).getByText('Someone changed this list').waitFor();
  expect(platform.sql("SELECT stake, reward FROM rooms WHERE id = 'desert'"), 'the room').toEqual([
    ['12', '33'],
  ]);
  await dialog(page).getByRole('button', { name: 'Cancel' }).click();
  await page
    .getByRole('row', { name: /Desert/ })
    .getByRole('cell', { name: '33' })
    .waitFor();
  platform.sql("UPDATE rooms SET stake = 10 WHERE id = 'desert'");
});

test('a tournament is announced, inspected, and canceled with a refund', async () => {
  // arrives after its field is visible
  await page.route('**/v1/variants', (route) => setTimeout(() => void route.continue(), 1500));
  await page.getByRole('link', { name: 'Tournaments' }).click();
  await act(page, 'New tournament', {
    Name: 'Friday cup',
    Variant: 'straight',
    'Seats per table': '2',
    'Maximum entries': '4',
    'Knockout:': '2',
    Options: 'target=1',
  });
  await dialog(page).locator('[data-fault="/options"]').waitFor();
  await dialog(page).getByRole('alert').getByText('/options/target').waitFor();
  await dialog(page).getByLabel('Options', { exact: false }).fill('target=120');
  await dialog(page).locator('form button').first().click();
  // A knockout of two per table cannot advance both.
  await dialog(page).getByRole('alert').getByText('tournament_kind').waitFor();
  await dialog(page).getByLabel('Knockout:', { exact: false }).fill('1');
  await dialog(page).getByLabel('Entry fee (chips)').fill('30');
  const offered = (label) =>
    dialog(page)
      .getByRole('combobox', { name: label })
      .evaluate((input) => Array.from(input.list.options, (option) => option.value));
  await expect.poll(() => offered('Variant'), 'the variants to choose from').toContain('pool201');
  await page.unrouteAll();
  await shot(page, 'announce', 'laptop');
  await expect
    .poll(() => offered('Prize table'), 'the prize tables')
    .toEqual(platform.sql('SELECT id FROM prize_tables ORDER BY id').flat());
  await dialog(page).locator('form button').first().click();
  await done(page);
  const [[id, options]] = platform.sql('SELECT id, options FROM tournaments');
  expect(JSON.parse(options), 'its options').toEqual({ target: 120 });
  for (const player of [mia, ben]) await ask(platform, player.token, `/v1/tournaments/${id}/entries`, {});
  await page.getByLabel('State').selectOption('cancelled');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByText('Nothing found.').waitFor();
  await page.getByLabel('State').selectOption('open');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.getByRole('row', { name: /Friday cup .*2 of 4/ }).waitFor();
  await page.getByRole('link', { name: id, exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Friday cup' }).waitFor();
  await page.getByText('60 silver, 0 gold').waitFor();
  await page.getByRole('row', { name: /Ben .*30 silver/ }).waitFor();
  await shot(page, 'tournament', 'laptop');
  expect(await violations(page), 'what axe finds').toEqual([]);
  await act(page, 'Call off', { Reason: 'The hall is closed.' });
  await done(page);
  await page.getByText('cancelled: by_operator').waitFor();
  await page.getByText('The hall is closed.').waitFor();
  await until(
    () => platform.sql(`SELECT state FROM tournaments WHERE id = ${id}`)[0][0] === 'cancelled',
    'all is back',
  );
  await page.getByRole('button', { name: 'Refresh' }).first().click();
  await page.getByText('0 silver, 0 gold').first().waitFor();
  await page.getByRole('button', { name: 'Refresh' }).last().click();
  await page.getByRole('row', { name: /Mia .*returned/ }).waitFor();
  await expect(page.getByRole('button', { name: 'Call off' }), 'what is still offered').toHaveCount(0);
  await page.setViewportSize(SIZES.phone);
  await expect.poll(() => wide(page), 'too wide by').toBe(0);
  await shot(page, 'tournament', 'phone');
  await page.setViewportSize(SIZES.laptop);
});

test('frequent opponents are shown in a diagram, and the pair is kept apart', async () => {
  platform.sql("UPDATE settings SET value = 2 WHERE name = 'collusion_games_min'");
  for (let i = 0; i < 3; i++) settleGame(platform, mia.id, ben.id);
  platform.sql(`INSERT INTO invites (inviter_id, invited_id) VALUES (${mia.id}, ${ben.id})`);
  platform.sql(
    `INSERT INTO account_origins SELECT id, sha256('a'), current_date FROM players WHERE id IN (${mia.id}, ${ben.id})`,
  );
  platform.sql("UPDATE settings SET value = 2 WHERE name = 'collusion_accounts_min'");
  await page.getByRole('link', { name: 'Collusion' }).click();
  await page.getByText('2 accounts, 0 with withheld rewards').waitFor();
  await page.getByRole('button', { name: /3 games/ }).press('Enter');
  await page.locator(`[data-pair]`).getByText(`${mia.id} invited ${ben.id} (open)`).waitFor();
  await act(page, 'Keep apart', { Reason: 'They throw for each other.' });
  await done(page);
  await page.getByText('separated', { exact: true }).waitFor();
});

test('the record of a table is read', async () => {
  await page.getByRole('link', { name: 'Tables', exact: true }).first().click();
  await page.getByRole('link', { name: '1', exact: true }).click();
  await page.getByRole('heading', { name: 'Table 1' }).waitFor();
  await page.getByRole('link', { name: 'Game 1' }).click();
  await page.getByText('the record').waitFor();
});

test('the season’s end: first the dry run, then the rollover, and the next season begins', async () => {
  grow(platform, mia.id, 40, 6800);
  grow(platform, ben.id, 29, 7900);
  await page.getByRole('link', { name: 'Seasons' }).click();
  await page.locator('[data-season="1"]').waitFor();
  await page.getByRole('row', { name: new RegExp(`^${mia.id} .*promoted`) }).waitFor();
  expect(platform.sql('SELECT count(*) FROM season_results'), 'what a dry run leaves behind').toEqual([
    ['0'],
  ]);
  seasonIsOver(platform);
  await page.getByRole('button', { name: 'Refresh' }).click();
  await page.getByText('is waiting to be closed').waitFor();
  await act(page, 'End seasons that are over');
  await dialog(page).locator('[data-done]').getByText('Completed.').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.locator('[data-season="2"]').waitFor();
  expect(platform.sql(`SELECT reason FROM season_results WHERE player_id = ${mia.id}`), 'the result').toEqual(
    [['promoted']],
  );
});

test('a job is run by hand', async () => {
  await page.getByRole('link', { name: 'Jobs' }).click();
  await act(page, 'Run: upkeep');
  await dialog(page).locator('[data-done]').getByText('Completed.').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
});

test('a key is created, shown once, and revoked', async () => {
  await page.getByRole('link', { name: 'API keys' }).click();
  await act(page, 'New key', { Name: 'scheduler', Role: 'jobs', Holder: 'cron' });
  const secret = await dialog(page).locator('[data-done] input').inputValue();
  expect(/^rk_[\w-]{43}$/.test(secret), `no secret: ${secret}`).toBeTruthy();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await done(page);
  await act(page, 'Revoke: scheduler');
  await done(page);
  await page
    .getByRole('row', { name: /scheduler/ })
    .getByText('revoked')
    .waitFor();
  expect(
    platform.sql("SELECT revoked_at IS NOT NULL FROM api_keys WHERE name = 'scheduler'"),
    'revoked',
  ).toEqual([['t']]);
});

test('a webhook is created and removed', async () => {
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await act(page, 'New webhook', { Address: 'https://hooks.example.org/rummy', 'order.paid': true });
  await dialog(page).locator('[data-done] input').waitFor();
  await dialog(page).getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('link', { name: 'https://hooks.example.org/rummy' }).click();
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor();
  await act(page, 'Remove');
  // its list is empty, too, and would match the next check
  await page.getByRole('heading', { name: 'Deliveries' }).waitFor({ state: 'detached' });
  await page.getByText('Nothing found.').waitFor();
  expect(platform.sql('SELECT count(*) FROM webhook_endpoints'), 'webhooks').toEqual([['0']]);
});

test('the log can be filtered by action, and the address contains the filter', async () => {
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Action').fill('ban');
  await page.getByRole('button', { name: 'Filter' }).click();
  await page.waitForURL('**/admin/audit?action=ban');
  await until(async () => (await page.locator('tbody tr').count()) === 1, 'one line of the log');
  await page.goBack();
  await until(async () => (await page.locator('tbody tr').count()) > 1, 'the whole log');
});

test('the page requests another key once one has expired', async () => {
  platform.sql("UPDATE api_keys SET expires_at = now() WHERE name = 'owner-e2e'");
  await page.getByRole('link', { name: 'Jobs' }).click();
  await page.getByText('The key is no longer accepted').waitFor();
  platform.sql("UPDATE api_keys SET expires_at = now() + interval '1 day' WHERE name = 'owner-e2e'");
});

test.describe('its looks', () => {
  test.beforeAll(() => enter(page, platform, platform.key('owner', 'eyes')));

  test('every section fits a phone and a laptop, and axe finds nothing', async () => {
    for (const [nth, [section, title]] of Object.entries(SECTIONS).entries()) {
      await turnTo(page, `/admin/${section}`);
      await page.getByRole('heading', { level: 1, name: title }).waitFor();
      await until(async () => (await page.locator('[aria-busy=true]').count()) === 0, `${section} is read`);
      const sizes = Object.entries(SIZES);
      if (nth % 2 === 1) sizes.reverse(); // starts with the last window of the previous section
      for (const [i, [size, viewport]] of sizes.entries()) {
        await page.setViewportSize(viewport);
        await expect.poll(() => wide(page), `${section} on a ${size}: too wide by`).toBe(0);
        if (LONG || i === 0)
          expect(await violations(page), `${section} on a ${size}: what axe finds`).toEqual([]);
        await shot(page, section || 'overview', size);
      }
    }
  });

  test('axe finds nothing on a player, at a dialog, and at the sign-in page', async () => {
    await page.goto(`${platform.url}/admin/players/1`);
    await page.getByRole('button', { name: 'Ban', exact: true }).waitFor();
    await shot(page, 'player', 'laptop');
    expect(await violations(page), 'the player').toEqual([]);
    await page.getByRole('button', { name: 'Give or take chips' }).click();
    await dialog(page).getByLabel('Amount').waitFor();
    await shot(page, 'dialog', 'laptop');
    expect(await violations(page), 'the dialog').toEqual([]);
    await page.keyboard.press('Escape');
    await done(page);
    await until(
      async () => page.evaluate(() => document.activeElement.textContent === 'Give or take chips'),
      'the keyboard is elsewhere',
    );
    await page.setViewportSize(SIZES.phone);
    await shot(page, 'player', 'phone');
    await page.getByRole('button', { name: 'Sections' }).click();
    await page.getByRole('button', { name: 'Sign out' }).waitFor();
    await shot(page, 'sections', 'phone');
    expect(await violations(page), 'the sections').toEqual([]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('API key').waitFor();
    await shot(page, 'entrance', 'phone');
    expect(await violations(page), 'the sign-in page').toEqual([]);
  });
});

test('the operators’ page had no errors and no policy violations', () =>
  expect(opened.errors, 'errors').toEqual([]));
