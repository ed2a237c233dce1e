/* Signing in with a provider, with real components (page, rummyd, PostgreSQL, a fake provider): an account
 * created that way and used again, an account with a password that is linked and unlinked, a guest who gets
 * an account, and errors on the way. On a phone, with checks at laptop width, too; E2E_SHOTS is the folder
 * for a screenshot of each moment. */
import { fitsBoth, openPage, turnTo, WALKED } from '../lib/browser.mjs';
import { inLobby, PASSWORD, register } from '../lib/people.mjs';
import { agree, startProviders } from '../lib/providers.mjs';
import { Platform } from '../lib/server.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

test.describe.configure({ mode: 'serial' });

/** A separate server with the providers. */
let platform;
let providers;
let opened;
let page;
let panel;
let dialog;
let name = '';

const [mia, noa, zoe] = ['mia', 'noa', 'zoe'].map((name) => `${name}@example.org`);
const button = (name, within = page) => within.getByRole('button', { name, exact: true });
const look = (name) => fitsBoth(page, `openid-${name}`);
/** Opens the account page without reloading the document. */
const account = async () => {
  await turnTo(page, '/account');
  await button('Name and picture').waitFor();
};
const signOut = async () => {
  await account();
  await button('Sign out').first().click();
  await page.getByText('New account').waitFor();
  await turnTo(page, '/');
};
/** Signs in with a provider, starting at the sign-in page. */
const enterBy = async (provider, email) => {
  await button(`Continue with ${provider}`).click();
  await agree(page, email);
};
const nickname = () => page.locator('section[aria-label=You] h2').innerText();
/** The address must not contain any of the provider's data. */
const clean = (path) => expect(page.url(), 'the address').toEqual(platform.url + path);
/** Makes every session too old to count as a recent sign-in. */
const old = () => platform.sql("UPDATE sessions SET created_at = created_at - interval '11 min'");

test.beforeAll(async ({ browser }) => {
  providers = await startProviders('Google', 'Apple');
  platform = await new Platform().start({ oidc_file: providers.file });
  opened = await openPage(browser, { viewport: WALKED, reducedMotion: 'reduce' });
  page = opened.page;
  panel = page.locator('section[aria-labelledby=identities]');
  dialog = page.getByRole('dialog');
});

test.afterAll(async () => {
  await closeClean(opened);
  await platform.stop();
  await providers.stop();
});

test('an account is created by a provider sign-in', async () => {
  await page.goto(platform.url);
  await button('Continue with Google').waitFor();
  await look('entrance');
  await enterBy('Google', mia);
  await inLobby(page);
  clean('/');
  await account();
  await page.locator('[data-kind=registered]').waitFor();
  await panel.locator('[data-identity=google]').getByText(mia).waitFor();
  name = await nickname();
  await look('account');
});

test('an account without a password is never prompted for one', async () => {
  await page.getByText('Your account has no password').waitFor();
  await page.getByText('adds a second step to a password').waitFor();
  expect(await page.locator('input[type=password]').count(), 'fields for passwords').toBe(0);
  expect(await button('Set up').count(), 'ways to a second factor').toBe(0);
  const data = page.locator('form[aria-labelledby=export]');
  old();
  await button('Request my data', data).click();
  await data.getByRole('alert').getByText('please sign in again').waitFor();
  await look('export');
  await button('Sign in again with Google', data).click();
  await agree(page, mia);
  await button('Request my data', data).click();
  await data.locator('[data-export]').waitFor();
  clean('/account');
  const leaving = page.locator('form[aria-labelledby=deletion]');
  old();
  await button('Delete my account…', leaving).click();
  await leaving.getByLabel('To confirm').fill('delete');
  await button('Delete my account', leaving).click();
  await leaving.getByRole('alert').getByText('please sign in again').waitFor();
  await look('leave');
  await button('Sign in again with Google', leaving).click();
  await agree(page, mia);
  await button('Delete my account…', leaving).click();
  await leaving.getByLabel('To confirm').fill('delete');
  await button('Delete my account', leaving).click();
  await button('Keep my account', leaving).click();
  await button('Delete my account…', leaving).waitFor();
});

test('the last way to sign in cannot be removed, and the page explains why', async () => {
  await button('Unlink Google').click();
  await look('unlink');
  await button('Unlink', dialog).click();
  await panel.getByRole('alert').getByText('the only way into your account').waitFor();
  await expect(panel.locator('li'), 'linked accounts').toHaveCount(1);
  await look('last');
});

test('the player signs in again with the provider', async () => {
  await signOut();
  await enterBy('Google', mia);
  await inLobby(page);
  await account();
  await expect.poll(nickname, 'who is signed in').toEqual(name);
});

test('a sign-out holds even if the page is left while the server is busy', async () => {
  platform.process.kill('SIGSTOP');
  await page.evaluate(() => {
    for (const path of 'abcdef') void fetch(`/${path}`).catch(() => undefined);
  });
  await button('Sign out').first().click();
  await page.getByText('New account').waitFor();
  await page.goto('about:blank');
  platform.process.kill('SIGCONT');
  await page.goto(platform.url);
  await enterBy('Google', mia);
  await inLobby(page);
  await account();
  await page.locator('[data-session]').first().waitFor();
  await expect(page.locator('[data-session]'), 'sessions').toHaveCount(1);
});

test('a player who cancels at the provider can try again', async () => {
  await signOut();
  await button('Continue with Google').click();
  await button('Cancel').click();
  await page.getByRole('alert').getByText('You canceled signing in with Google').waitFor();
  clean('/sign-in');
  await look('cancelled');
  await button('Try again with Google').click();
  await agree(page, mia);
  await inLobby(page);
  clean('/');
});

test('a sign-in started elsewhere is not finished here', async () => {
  const sent = [];
  page.on(
    'request',
    (request) => request.method() === 'POST' && request.url().endsWith('/finish') && sent.push(request.url()),
  );
  await signOut();
  await page.goto(`${platform.url}/sign-in?code=c&state=${'s'.repeat(43)}`);
  await page.getByRole('alert').getByText('wasn’t started in this tab').waitFor();
  clean('/sign-in');
  expect(sent, 'finished sign-ins').toEqual([]);
  await page.getByRole('link', { name: 'Other ways to sign in' }).click();
  await button('Continue with Google').waitFor();
});

test('the proved address of an account with a password opens it no other way', async () => {
  await register(page, 'Noa', noa);
  await inLobby(page);
  platform.sql("UPDATE players SET email_verified_at = now() WHERE nickname = 'Noa'");
  await signOut();
  await enterBy('Apple', noa);
  await page.getByRole('alert').getByText('already an account with this email address').waitFor();
  await look('has-account');
});

test('it is linked, entered by it, and unlinked', async () => {
  await page.getByRole('link', { name: 'Other ways to sign in' }).click();
  await page.getByText('Sign in', { exact: true }).first().click();
  await page.getByLabel('Email').fill(noa);
  await page.getByLabel('Password').fill(PASSWORD);
  await button('Sign in').click();
  await inLobby(page);
  await account();
  await button('Link Apple', panel).click();
  await agree(page, noa);
  await panel.getByText('Apple is linked').waitFor();
  clean('/account');
  await look('linked');
  await signOut();
  await enterBy('Apple', noa);
  await inLobby(page);
  await account();
  await expect.poll(nickname, 'who is signed in').toBe('Noa');
  await button('Unlink Apple').click();
  await button('Unlink', dialog).click();
  await panel.getByText('Apple is unlinked').waitFor();
  await expect(panel.locator('li'), 'linked accounts').toHaveCount(0);
});

test('an old session signs in again, with the same account only', async () => {
  await signOut();
  await enterBy('Google', mia);
  await inLobby(page);
  old();
  await account();
  await button('Link Apple', panel).click();
  await panel.getByRole('alert').getByText('please sign in again').waitFor();
  await look('again');
  await button('Sign in again with Google', panel).click();
  await agree(page, zoe);
  await page.getByRole('alert').getByText('belongs to a different account').waitFor();
  await look('another');
  await button('Try again with Google').click();
  await agree(page, mia);
  await panel.locator('[data-identity=google]').waitFor();
  await expect.poll(nickname, 'who is signed in').toEqual(name);
  await page.locator('[data-session]').first().waitFor();
  await expect(page.locator('[data-session]'), 'sessions: the one before has ended').toHaveCount(1);
  await button('Link Apple', panel).click();
  await agree(page, mia);
  await panel.getByText('Apple is linked').waitFor();
});

test('a guest becomes an account and keeps the name', async () => {
  await signOut();
  await page.getByText('Guest', { exact: true }).click();
  await page.getByLabel('Nickname').fill('Gus');
  await button('Play now').click();
  await inLobby(page);
  await account();
  await look('guest');
  await button('Continue with Apple', panel).click();
  await agree(page, 'gus@example.org');
  await panel.getByText('Apple is linked').waitFor();
  await page.locator('[data-kind=registered]').waitFor();
  await expect.poll(nickname, 'the name').toBe('Gus');
  await signOut();
  await enterBy('Apple', 'gus@example.org');
  await inLobby(page);
  await account();
  await expect.poll(nickname, 'the name').toBe('Gus');
});
