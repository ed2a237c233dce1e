/* An account's life by mail on real parts (page, rummyd, PostgreSQL, mails as files): the address confirmed, the password
 * forgotten and reset, the address changed and the change taken back. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPage } from './lib/browser.mjs';
import { counted, equal, test, until } from './lib/harness.mjs';
import { Platform } from './lib/server.mjs';

/** The link of the one mail to this address with this template's page, as soon as it is there. */
async function linkTo(platform, address, page) {
  const folder = join(platform.folder, 'mail');
  let link = null;
  await until(() => {
    const mails = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.eml')) : [];
    const texts = mails.map((name) => readFileSync(join(folder, name), 'utf8').replaceAll(/=\r\n/g, ''));
    const links = texts.filter((text) => text.includes(`To: <${address}>`)).flatMap((text) => text.match(new RegExp(`http\\S+/${page}#[0-9a-f]{64}`)) ?? []);
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

export async function mailTests(browser) {
  const platform = await new Platform().start();
  const { page, errors } = await openPage(browser, { viewport: { width: 1100, height: 800 }, reducedMotion: 'reduce' });
  const old = 'mia@example.org';
  const fresh = 'mia@example.net';
  try {
    await test('who registers confirms the address by the link of the mail', async () => {
      await page.goto(platform.url);
      await page.getByText('New account').click();
      await page.getByLabel('Nickname').fill('Mia');
      await page.getByLabel('Email').fill(old);
      await page.getByLabel('Password').fill('seven sleeping camels');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('Please confirm your email address').waitFor();
      await page.goto(await linkTo(platform, old, 'verify'));
      await page.getByText('Your email address is confirmed').waitFor();
      await page.getByRole('link', { name: 'Go to the lobby' }).click();
      await page.getByRole('heading', { name: 'Lobby' }).waitFor();
      await counted(page.getByText('Please confirm your email address'), 0, 'reminders');
    });
    await test('the address changes by a link to the new one, and a link to the old one takes it back', async () => {
      await page.goto(`${platform.url}/account`);
      await page.getByLabel('New address').fill(fresh);
      await page.locator('form[aria-labelledby=change-email]').getByLabel('Your password').fill('seven sleeping camels');
      await page.getByRole('button', { name: 'Change address' }).click();
      await page.getByText('We’ve sent a link to').waitFor();
      await page.goto(await linkTo(platform, fresh, 'verify'));
      await page.getByText('Your email address is confirmed').waitFor();
      await page.goto(await linkTo(platform, old, 'undo'));
      await page.getByRole('button', { name: 'Undo the change' }).click();
      await page.getByText('has its old email address again').waitFor();
    });
    await test('a new password by the link that came with it opens the account', async () => {
      await page.goto(await linkTo(platform, old, 'reset'));
      await page.getByLabel('New password').fill('nine dancing herons');
      await page.getByRole('button', { name: 'Set password' }).click();
      await page.getByText('Your new password is set').waitFor();
      await signIn(page, platform.url, old, 'nine dancing herons');
      await page.getByRole('heading', { name: 'Lobby' }).waitFor();
    });
    equal(errors, [], 'errors of the page');
  } finally {
    await page.context().close();
    await platform.stop();
  }
}
