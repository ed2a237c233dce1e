/* Two-step verification with real components (page, rummyd, PostgreSQL): setup, sign-in, a recovery code,
 * turning it off. On a phone, with checks at laptop width, too; E2E_SHOTS is the folder for a screenshot of
 * each moment. */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fitsBoth, openPage, WALKED } from '../lib/browser.mjs';
import { inLobby, PASSWORD, register } from '../lib/people.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567';

/** The code that an authenticator app currently shows for a base32 key. */
function codeOf(key) {
  const bits = [...key.replaceAll(' ', '')]
    .map((letter) => LETTERS.indexOf(letter).toString(2).padStart(5, '0'))
    .join('');
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const digest = createHmac('sha1', Buffer.from(bits.match(/.{8}/g).map((byte) => parseInt(byte, 2))))
    .update(counter)
    .digest();
  return String((digest.readUInt32BE(digest[19] & 15) & 0x7fffffff) % 1_000_000).padStart(6, '0');
}

test.describe.configure({ mode: 'serial' });

const email = 'fay@example.org';
let opened;
let page;
let panel;
let key = '';
let codes = [];

test.beforeAll(async ({ browser }) => {
  opened = await openPage(browser, { viewport: WALKED, reducedMotion: 'reduce' });
  page = opened.page;
  panel = page.locator('section[aria-labelledby=factor]');
});

test.afterAll(() => closeClean(opened));

/** A code that is still unused, within the same 30 s. */
function code(platform) {
  platform.sql('UPDATE totp_factors SET last_step = 0');
  return codeOf(key);
}

const look = (name) => fitsBoth(page, `factor-${name}`);

const signIn = async (platform) => {
  await page.goto(`${platform.url}/account`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).first().click();
  await page.getByText('New account').waitFor();
  await page.goto(`${platform.url}/account`); // returns here after signing in
  await page.getByText('Sign in', { exact: true }).first().click();
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByText('Your account has two-step verification').waitFor();
};
test('it is set up with an app, and recovery codes are kept', async ({ platform }) => {
  await page.goto(platform.url);
  await register(page, 'Fay', email);
  await inLobby(page);
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
  expect(codes.length, 'recovery codes').toBe(10);
  await look('codes');
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    panel.getByRole('button', { name: 'Download' }).click(),
  ]);
  const kept = await readFile(await file.path(), 'utf8');
  expect(
    codes.every((one) => kept.includes(one)) && file.suggestedFilename() === 'recovery-codes.txt',
    'the file has not all codes',
  ).toBeTruthy();
  await panel.getByRole('button', { name: 'I’ve saved them' }).click();
  await panel.getByText('You have 10 recovery codes left').waitFor();
  await look('on');
});
test('a log-in asks for a code', async ({ platform }) => {
  await signIn(platform);
  const field = page.getByLabel('Code from your app');
  expect(await field.getAttribute('autocomplete'), 'what browsers fill in').toBe('one-time-code');
  expect(await field.getAttribute('inputmode'), 'the keyboard').toBe('numeric');
  expect(
    await field.evaluate((input) => input === document.activeElement),
    'the field is not the one to type into',
  ).toBeTruthy();
  await look('login');
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill('AAAA-AAAA-AAAA-AAAA-AAAA-AAAA');
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByText('This code is wrong').waitFor();
  await page.getByRole('button', { name: 'Use a code from your app' }).click();
  await field.fill(code(platform));
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('button', { name: 'Name and picture' }).waitFor();
});
test('a recovery code replaces an app code once', async ({ platform }) => {
  await signIn(platform);
  await page.getByRole('button', { name: 'Use a recovery code' }).click();
  await page.getByLabel('Recovery code').fill(codes[0].toLowerCase());
  await look('recovery');
  await page.getByRole('button', { name: 'Continue' }).click();
  await panel.getByText('You have 9 recovery codes left').waitFor();
});
test('the password is changed with a code, and it is switched off with one', async ({ platform }) => {
  const change = page.locator('form[aria-labelledby=change-password]');
  await change.getByLabel('Current password').fill(PASSWORD);
  await change.getByLabel('New password').fill('nine dancing herons');
  await change.getByLabel('Code from your app').fill(code(platform));
  await change.getByRole('button', { name: 'Change password' }).click();
  await page.getByText('Your password is changed').waitFor();
  await panel.getByRole('button', { name: 'Turn off…' }).click();
  await panel.getByLabel('Your password').fill('nine dancing herons');
  await panel.getByLabel('Code from your app').fill(code(platform));
  await look('off');
  await panel.getByRole('button', { name: 'Turn off', exact: true }).click();
  await panel.getByText('Two-step verification is off.').waitFor();
  await expect(change.getByLabel('Code from your app'), 'fields for codes').toHaveCount(0);
});
