/* Passkeys with real components (page, rummyd, PostgreSQL) and Chromium's virtual authenticator: one is
 * added, signs in without a name, by the button and by autofill, and is removed. E2E_SHOTS is the folder for
 * screenshots. */
import { join } from 'node:path';
import { openPage } from '../lib/browser.mjs';
import { inLobby, PASSWORD, register } from '../lib/people.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

/** A phone that has just verified its owner. */
async function newAuthenticator(page) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('WebAuthn.enable', { enableUI: false });
  const options = {
    protocol: 'ctap2',
    transport: 'internal',
    hasResidentKey: true,
    hasUserVerification: true,
    isUserVerified: true,
    automaticPresenceSimulation: true,
  };
  const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', { options });
  return {
    set: (method, values) => cdp.send(`WebAuthn.${method}`, { authenticatorId, ...values }),
    credentials: async () => (await cdp.send('WebAuthn.getCredentials', { authenticatorId })).credentials,
  };
}

async function shot(page, name) {
  if (!process.env.E2E_SHOTS) return;
  for (const width of [360, 1366]) {
    await page.setViewportSize({ width, height: 900 });
    await page.screenshot({
      path: join(process.env.E2E_SHOTS, `passkeys-${name}-${width}.png`),
      fullPage: true,
    });
  }
}

test.describe.configure({ mode: 'serial' });

const email = 'pam@example.org';
let opened;
let page;
let authenticator;
let panel;
let dialog;

test.beforeAll(async ({ browser }) => {
  opened = await openPage(browser, {
    viewport: { width: 1100, height: 800 },
    reducedMotion: 'reduce',
  });
  page = opened.page;
  authenticator = await newAuthenticator(page);
  panel = page.locator('section[aria-labelledby=passkeys]');
  dialog = page.getByRole('dialog');
  /* This authenticator verifies automatically, so it signs as soon as autofill offers it. */
  await page.addInitScript(() => {
    if (localStorage.getItem('e2e:fills_in') === null)
      PublicKeyCredential.isConditionalMediationAvailable = () => Promise.resolve(false);
  });
});

test.afterAll(() => closeClean(opened));

const signOut = async (url, fillsIn = false) => {
  await page.evaluate(
    (on) => (on ? localStorage.setItem('e2e:fills_in', '1') : localStorage.removeItem('e2e:fills_in')),
    fillsIn,
  );
  await page.goto(`${url}/account`);
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await page.getByText('New account').waitFor();
  await page.goto(url);
  await page.getByText('Sign in', { exact: true }).first().click();
};
test('adding a passkey requires the password', async ({ platform }) => {
  await page.goto(platform.url);
  await register(page, 'Pam', email);
  await inLobby(page);
  await page.goto(`${platform.url}/account`);
  await panel.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByLabel('Name').fill('Phone');
  await dialog.getByLabel('Your password').fill('eight sleeping camels');
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByRole('alert').getByText('password is wrong').waitFor();
  await shot(page, 'add');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await panel.getByText('Passkey added').waitFor();
  await panel.getByText('not used yet').waitFor();
  const made = await authenticator.credentials();
  expect(
    made.map((each) => [each.rpId, each.isResidentCredential]),
    'credentials of the authenticator',
  ).toEqual([['localhost', true]]);
  await shot(page, 'panel');
});
test('the same authenticator cannot register twice', async () => {
  await panel.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByLabel('Name').fill('Again');
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Add a passkey' }).click();
  await dialog.getByRole('alert').getByText('This device already has a passkey for your account').waitFor();
  await page.keyboard.press('Escape');
});
test('it gets another name', async () => {
  await panel.getByRole('button', { name: 'Rename Phone' }).click();
  await dialog.getByLabel('Name').fill('Blue phone');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await panel.getByText('Blue phone').waitFor();
});
test('it signs in without a name', async ({ platform }) => {
  await signOut(platform.url);
  await shot(page, 'entrance');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
  await page.goto(`${platform.url}/account`);
  await panel.getByText('last used').waitFor();
  await page.getByRole('heading', { name: 'Pam' }).waitFor();
});
test('the browser offers it for autofill', async ({ platform }) => {
  await signOut(platform.url, true);
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
});
test('a user whom the authenticator does not verify cannot sign in', async ({ platform }) => {
  await signOut(platform.url);
  await authenticator.set('setUserVerified', { isUserVerified: false });
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText('No passkey was used').waitFor();
  await shot(page, 'refused');
});
test('a removed passkey cannot sign in', async ({ platform }) => {
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
  await page.getByRole('heading', { name: 'Lobby' }).waitFor();
  await page.goto(`${platform.url}/account`);
  await panel.getByRole('button', { name: 'Remove Blue phone' }).click();
  await dialog.getByLabel('Your password').fill(PASSWORD);
  await shot(page, 'remove');
  await dialog.getByRole('button', { name: 'Remove passkey' }).click();
  await panel.getByText('Passkey removed').waitFor();
  await expect(panel.locator('li'), 'passkeys that are left').toHaveCount(0);
  await authenticator.set('setUserVerified', { isUserVerified: true });
  await signOut(platform.url);
  await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
  await page.getByRole('alert').getByText('This passkey doesn’t belong to any account').waitFor();
});
