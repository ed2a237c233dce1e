/* Two-step verification on real parts (page, rummyd, PostgreSQL): set up, asked for at the log-in, a recovery code, switched
 * off. Done on a phone, looked at as wide as a laptop, too; E2E_SHOTS names a folder for a picture of each moment. */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fitsBoth, openPage, WALKED } from './lib/browser.mjs';
import { check, counted, equal, test } from './lib/harness.mjs';
import { Platform } from './lib/server.mjs';

const PASSWORD = 'seven sleeping camels';
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** What an app shows now for a key in base32. */
function codeOf(key) {
  const bits = [...key.replaceAll(' ', '')].map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0')).join('');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2)))).update(counter).digest();
  return String((digest.readUInt32BE(digest[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

async function walk(browser, platform) {
  const { page, errors } = await openPage(browser, { viewport: WALKED, reducedMotion: 'reduce' });
  const email = 'mia@example.org';
  const panel = page.locator('section[aria-labelledby=factor]');
  let key = '';
  let codes = [];
  /** A code that was not used yet, though it is the same half minute. */
  const code = () => {
    platform.sql('UPDATE totp_factors SET last_step = 0');
    return codeOf(key);
  };
  const look = (name) => fitsBoth(page, `factor-${name}`);
  const signIn = async () => {
    await page.goto(`${platform.url}/account`);
    await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
    await page.getByText('Sign in', { exact: true }).first().click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('Your account has two-step verification').waitFor();
  };
  try {
    await test('it is set up with an app, and recovery codes are kept', async () => {
      await page.goto(platform.url);
      await page.getByText('New account').click();
      await page.getByLabel('Nickname').fill('Mia');
      await page.getByLabel('Email').fill(email);
      await page.getByLabel('Password').fill(PASSWORD);
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByRole('heading', { name: 'Lobby' }).waitFor();
      await page.goto(`${platform.url}/account`);
      await panel.getByRole('button', { name: 'Set up' }).click();
      await panel.getByLabel('Your password').fill(PASSWORD);
      await panel.getByRole('button', { name: 'Continue' }).click();
      await panel.getByRole('img', { name: 'QR code for your app' }).waitFor();
      key = await panel.getByLabel('Key for the app').inputValue();
      await look('setup');
      await panel.getByLabel('Code from your app').fill('000 00');
      await panel.getByRole('button', { name: 'Turn on' }).click();
      await panel.getByRole('alert').waitFor();
      await panel.getByLabel('Code from your app').fill(codeOf(key));
      await panel.getByRole('button', { name: 'Turn on' }).click();
      await panel.getByText('Two-step verification is on.').waitFor();
      codes = await panel.locator('ol li').allInnerTexts();
      equal(codes.length, 10, 'recovery codes');
      await look('codes');
      const [file] = await Promise.all([page.waitForEvent('download'), panel.getByRole('button', { name: 'Download' }).click()]);
      const kept = await readFile(await file.path(), 'utf8');
      check(codes.every((one) => kept.includes(one)) && file.suggestedFilename() === 'recovery-codes.txt', 'the file has not all codes');
      await panel.getByRole('button', { name: 'I’ve saved them' }).click();
      await panel.getByText('You have 10 recovery codes left').waitFor();
      await look('on');
    });
    await test('a log-in asks for a code', async () => {
      await signIn();
      const field = page.getByLabel('Code from your app');
      equal(await field.getAttribute('autocomplete'), 'one-time-code', 'what browsers fill in');
      equal(await field.getAttribute('inputmode'), 'numeric', 'the keyboard');
      check(await field.evaluate((input) => input === document.activeElement), 'the field is not the one to type into');
      await look('login');
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').fill('AAAA-AAAA-AAAA-AAAA-AAAA-AAAA');
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByText('This code is wrong').waitFor();
      await page.getByRole('button', { name: 'Use a code from your app' }).click();
      await field.fill(code());
      await page.getByRole('button', { name: 'Continue' }).click();
      await page.getByRole('button', { name: 'Name and picture' }).waitFor();
    });
    await test('a recovery code stands in for one, once', async () => {
      await signIn();
      await page.getByRole('button', { name: 'Use a recovery code' }).click();
      await page.getByLabel('Recovery code').fill(codes[0].toLowerCase());
      await look('recovery');
      await page.getByRole('button', { name: 'Continue' }).click();
      await panel.getByText('You have 9 recovery codes left').waitFor();
    });
    await test('the password is changed with a code, and it is switched off with one', async () => {
      const change = page.locator('form[aria-labelledby=change-password]');
      await change.getByLabel('Current password').fill(PASSWORD);
      await change.getByLabel('New password').fill('nine dancing herons');
      await change.getByLabel('Code from your app').fill(code());
      await change.getByRole('button', { name: 'Change password' }).click();
      await page.getByText('Your password is changed').waitFor();
      await panel.getByRole('button', { name: 'Turn off…' }).click();
      await panel.getByLabel('Your password').fill('nine dancing herons');
      await panel.getByLabel('Code from your app').fill(code());
      await look('off');
      await panel.getByRole('button', { name: 'Turn off', exact: true }).click();
      await panel.getByText('Two-step verification is off.').waitFor();
      await counted(change.getByLabel('Code from your app'), 0, 'fields for codes');
    });
    equal(errors, [], 'errors of the page');
  } finally {
    await page.context().close();
  }
}

export async function factorTests(browser) {
  const platform = await new Platform().start();
  try {
    await walk(browser, platform);
  } finally {
    await platform.stop();
  }
}
