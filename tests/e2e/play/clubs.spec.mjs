/* Clubs on a real server: created, found, joined on request, handed over, and closed by two players in
 * separate browsers. E2E_SHOTS is the folder for a screenshot of each moment. */
import { fitsBoth, openPage, WALKED } from '../lib/browser.mjs';
import { inLobby, person, register } from '../lib/people.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

const CLUB = 'Night Owls';

const button = (page, name) => page.getByRole('button', { name, exact: true });
const roles = (page) =>
  page.locator('[data-member]').evaluateAll((all) => all.map((one) => one.dataset.role));
const own = (page, role) => page.locator(`[data-own="${role}"]`).waitFor();

test.describe.configure({ mode: 'serial' });

let mia;
let ben;
let address = '';

test.beforeAll(async ({ browser, platform }) => {
  mia = { ...(await openPage(browser, { viewport: WALKED, reducedMotion: 'reduce' })), nick: 'Clio' };
  await mia.page.goto(platform.url);
  await register(mia.page, mia.nick, 'clio@example.org');
  await inLobby(mia.page);
  ben = await person(browser, platform.url, 'Curt', { viewport: WALKED });
});

test.afterAll(() => closeClean(mia, ben));

test('a club is created', async ({ platform }) => {
  await mia.page.goto(`${platform.url}/friends`);
  await mia.page.getByRole('link', { name: 'Clubs' }).click();
  await mia.page.getByText('You aren’t in any club yet.').waitFor();
  await mia.page.getByLabel('Club name').fill('x');
  await button(mia.page, 'Create a club').click();
  await mia.page.locator('[data-fault="/name"]').waitFor();
  await mia.page.getByLabel('Club name').fill(CLUB);
  await mia.page.getByLabel('About the club').fill('Every evening at nine.');
  await button(mia.page, 'Create a club').click();
  await mia.page.getByRole('heading', { name: CLUB }).waitFor();
  address = mia.page.url();
  await expect.poll(() => roles(mia.page), 'members').toEqual(['owner']);
  await fitsBoth(mia.page, 'club-own');
});
test('it is found, and a guest asks to join', async ({ platform }) => {
  await ben.page.goto(`${platform.url}/clubs`);
  await ben.page.getByText('first turn your guest account into a registered one').waitFor();
  await ben.page.getByLabel('Its name starts with').fill('nobody');
  await button(ben.page, 'Find a club').click();
  await ben.page.getByText('No club names start with that.').waitFor();
  await ben.page.getByLabel('Its name starts with').fill('night o');
  await button(ben.page, 'Find a club').click();
  await fitsBoth(ben.page, 'clubs');
  await ben.page.locator('[data-listed]').getByRole('link', { name: CLUB }).click();
  await button(ben.page, 'Ask to join').click();
  await own(ben.page, 'asks');
});
test('the owner sees it at once and accepts, and the guest sees that', async () => {
  const accept = mia.page.getByRole('button', { name: `Accept ${ben.nick}` });
  await accept.waitFor();
  await button(ben.page, 'Cancel request').click();
  await accept.waitFor({ state: 'detached' });
  await button(ben.page, 'Ask to join').click(); // does not notify twice
  await mia.page.getByRole('button', { name: `Accept ${ben.nick}` }).click();
  await own(ben.page, 'member');
  await mia.page.locator('[data-role=member]').waitFor();
  await expect.poll(() => roles(mia.page), 'members').toEqual(['owner', 'member']);
  await mia.page.getByRole('button', { name: `Make ${ben.nick} the owner` }).click();
  await button(mia.page, 'Make owner').last().click();
  await mia.page.getByRole('alert').getByText('Only a registered member can own the club.').waitFor();
  await fitsBoth(ben.page, 'club-member');
});
test('a club table is visible to members only', async () => {
  await mia.page.reload();
  await button(mia.page, 'Open a table').click();
  const dialog = mia.page.getByRole('dialog');
  await dialog.locator('[data-variant="straight"]').click();
  await dialog.getByText('club members').waitFor();
  await fitsBoth(mia.page, 'club-open');
  await dialog.getByRole('group', { name: 'Number of bots' }).getByText('0', { exact: true }).click();
  await dialog.getByRole('button', { name: 'Open the table' }).click();
  await mia.page.waitForURL(/\/table\/\d+/);
  await mia.page.locator('[data-club]').getByText(`${CLUB}’s table`).waitFor();
  await fitsBoth(mia.page, 'club-table');
  await ben.page.locator('[data-table]').getByText(mia.nick).waitFor();
  await fitsBoth(ben.page, 'club-tables');
  await ben.page.locator('[data-table]').getByRole('button', { name: 'Sit down' }).click();
  await ben.page.waitForURL(/\/table\/\d+/);
  await ben.page.goto(address);
  await ben.page
    .locator('[data-table][data-state=playing]')
    .getByRole('button', { name: 'Return to the table' })
    .waitFor();
  await mia.page.goto(address);
  await mia.page.locator('[data-table]').waitFor();
});
test('members chat, and the owner deletes a reported message', async () => {
  const field = (page) => page.getByLabel('Say something to the club');
  await field(mia.page).fill('Who plays tonight?');
  await field(mia.page).press('Enter');
  await mia.page.getByRole('log').getByText('Who plays tonight?').waitFor();
  await expect.poll(() => field(mia.page).inputValue(), 'the line').toBe('');
  await ben.page.getByRole('log').getByText('Who plays tonight?').waitFor();
  await field(ben.page).fill('I do!');
  await button(ben.page, 'Send').click();
  await mia.page.getByRole('log').getByText('I do!').waitFor();
  await fitsBoth(mia.page, 'club-chat');
  await button(ben.page, `Report ${mia.nick}’s message`).click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Send report' }).click();
  await ben.page.getByText('You reported the message. Thank you.').waitFor();
  await button(mia.page, `Delete ${ben.nick}’s message`).click();
  await mia.page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
  await ben.page.getByRole('log').getByText('I do!').waitFor({ state: 'detached' });
  await expect(ben.page.locator('[data-line]'), 'messages').toHaveCount(1);
});
test('it is changed, left, and closed', async () => {
  await mia.page.getByLabel('Who can join').selectOption('open');
  await button(mia.page, 'Save').click();
  await mia.page.getByText('Saved.').waitFor();
  await button(ben.page, 'Leave the club').click();
  await ben.page.getByRole('dialog').getByRole('button', { name: 'Leave the club' }).click();
  await button(ben.page, 'Join').click();
  await own(ben.page, 'member');
  await button(mia.page, 'Close the club').click();
  await mia.page.getByRole('dialog').getByRole('button', { name: 'Close the club' }).click();
  await mia.page.getByText('You aren’t in any club yet.').waitFor();
  await ben.page.goto(address);
  await ben.page.getByRole('alert').getByText('This club doesn’t exist.').waitFor();
});
