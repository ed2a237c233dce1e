/* An account's email flows with real components (page, rummyd, PostgreSQL, emails as files): confirming the
 * address, resetting a forgotten password, changing the address, and reverting the change. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPage } from '../lib/browser.mjs';
import { until } from '../lib/harness.mjs';
import { PASSWORD, register } from '../lib/people.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

/** The link of the one email to this address with this template's page, once it arrives. */
async function linkTo(platform, address, page) {
  const folder = join(platform.folder, 'mail');
  let link = null;
  await until(() => {
    const mails = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    const texts = mails.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/=\r\n/g, ''));
    const links = texts
      .filter((text) => text.includes(`To: <${address}>`))
      .flatMap((text) => text.match(new RegExp(`http\\S+/${page}#[0-9a-f]{64}`)) ?? []);
    link = links[0] ?? null;
    return link !== null;
  }, `no mail to ${address} with a link to /${page}`);
  return link;
}

async function signIn(page, url, email, password) {
  await page.goto(url);
  await page.getByText('Sign in', { exact: true }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

test.describe.configure({ mode: 'serial' });

const old = 'mara@example.org';
const fresh = 'mara@example.net';
let opened;
let page;

test.beforeAll(async ({ browser }) => {
  opened = await openPage(browser, {
    viewport: { width: 1100, height: 800 },
    reducedMotion: 'reduce',
  });
  page = opened.page;
});

test.afterAll(() => closeClean(opened));

test('a new player confirms the address by the emailed link', async ({ platform }) => {
  await page.goto(platform.url);
  await register(page, 'Mara', old);
  await page.getByText('Please confirm your email address').waitFor();
  await page.goto(await linkTo(platform, old, 'verify'));
  await page.getByRole('button', { name: 'Confirm my address' }).click();
  await page.getByText('Your email address is confirmed').waitFor();
  await page.getByRole('link', { name: 'Go to the lobby' }).click();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
  await expect(page.getByText('Please confirm your email address'), 'reminders').toHaveCount(0);
});
test('the address changes by a link to the new one, and a link to the old one takes it back', async ({
  platform,
}) => {
  await page.goto(`${platform.url}/account`);
  await page.getByLabel('New address').fill(fresh);
  await page.locator('form[aria-labelledby=change-email]').getByLabel('Your password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Change address' }).click();
  await page.getByText('We’ve sent a link to').waitFor();
  const link = await linkTo(platform, fresh, 'verify');
  for (let opened = 0; opened < 2; opened++) {
    await page.goto(platform.url);
    await page.goto(link);
    await page.getByRole('button', { name: 'Confirm my address' }).click();
    await page.getByText('Your email address is confirmed').waitFor();
  }
  await page.goto(await linkTo(platform, old, 'undo'));
  await page.getByRole('button', { name: 'Undo the change' }).click();
  await page.getByText('has its old email address again').waitFor();
});
test('a new password by the link that came with it opens the account', async ({ platform }) => {
  await page.goto(await linkTo(platform, old, 'reset'));
  await page.getByLabel('New password').fill('nine dancing herons');
  await page.getByRole('button', { name: 'Set password' }).click();
  await page.getByText('Your new password is set').waitFor();
  await signIn(page, platform.url, old, 'nine dancing herons');
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
});
