/* Targets of email links: confirming an address, resetting a password, reverting a change, unlocking an
 * account; with mocked responses. */
import { ANSWERS } from '../lib/answers.mjs';
import { counted, check, equal, until } from '../lib/harness.mjs';
import { test } from '../lib/screens.mjs';
import { opened } from '../lib/site.mjs';

const TOKEN = '0123456789abcdef'.repeat(4);
/** The response for an account with a password. */
const PASSWORD = { '/v1/me/account': { has_password: true, proof: 'password' } };
const NO_WAYS = { passkeys: 0, providers: 0, bot_tokens: 0, second_factor: 0, can_keep: true };
const INVALID = {
  code: 'link_invalid',
  status: 410,
  title: 'This link has expired or was already used. Please request a new one.',
};

/* The token may appear only in the body of one request. */
async function tokenIsGone(page, path) {
  equal(new URL(page.url()).pathname + new URL(page.url()).hash, path, 'the address');
  await page.goBack();
  check(!page.url().includes(TOKEN), 'the history has the token');
}

function noted(sent, answer) {
  return (request) => {
    sent.push(request.postDataJSON());
    return typeof answer === 'function' ? answer() : answer;
  };
}

function confirming() {
  test('a click confirms the address, not opening the page, and the token leaves the address at once', async () => {
    const sent = [];
    await opened(
      `/verify#${TOKEN}`,
      async (page) => {
        await page.getByText('Confirm that this email address').waitFor();
        equal(sent, [], 'what was sent by opening');
        await page.getByRole('button', { name: 'Confirm my address' }).click();
        await page.getByText('Your email address is confirmed').waitFor();
        equal(sent, [{ token: TOKEN }], 'what was sent');
        await tokenIsGone(page, '/verify');
      },
      { more: { '/v1/auth/verify-email': noted(sent, '') }, stranger: true },
    );
  });
  test('a used link is reported as expired, and an incomplete one is not sent', async () => {
    const sent = [];
    await opened(
      `/verify#${TOKEN}`,
      async (page, site) => {
        await page.getByRole('button', { name: 'Confirm my address' }).click();
        await page.getByRole('alert').getByText('This link has expired').waitFor();
        await site.goto('/');
        await site.goto(`/verify#${TOKEN.slice(1)}`);
        await page.getByRole('alert').getByText('This link is incomplete').waitFor();
        equal(sent.length, 1, 'requests');
      },
      { more: { '/v1/auth/verify-email': noted(sent, INVALID) }, stranger: true },
    );
  });
  test('an account whose address is not confirmed is reminded, a guest is not', async () => {
    const sent = [];
    const me = { ...ANSWERS['/v1/me'], kind: 'registered', email_verified: false };
    await opened(
      '/wallet',
      async (page) => {
        await page.getByText('Please confirm your email address').waitFor();
        await page.getByRole('button', { name: 'Send it again' }).click();
        await page.getByText('We’ve sent you a new link').waitFor();
        equal(sent.length, 1, 'requests');
        const please = page.getByText('Please confirm your email address');
        await page.reload();
        await please.waitFor();
        await page.getByRole('button', { name: 'Not now' }).click();
        await counted(please, 0, 'reminders after Not now');
        await page.reload();
        await page.getByRole('heading', { name: 'Wallet' }).waitFor();
        await counted(please, 0, 'reminders of the same week');
        await page.evaluate((ago) => {
          localStorage['rummyd:confirm_later'] = JSON.stringify(Date.now() - ago);
        }, 8 * 86_400_000);
        await page.reload();
        await please.waitFor();
        await page.evaluate(() => localStorage.removeItem('rummyd:confirm_later'));
      },
      {
        more: {
          '/v1/me': me,
          ...PASSWORD,
          '/v1/me/email/verification': (request) => sent.push(request.method()) && '',
        },
      },
    );
    const heard = [];
    const without = (request) => heard.push(request.url()) && ANSWERS['/v1/me/account'];
    await opened(
      '/wallet',
      async (page) => {
        await until(() => heard.length > 0, 'the page did not request the account');
        await page.getByRole('heading', { name: 'Wallet' }).waitFor();
        equal(
          await page.getByText('Please confirm your email address').count(),
          0,
          'reminders for an account without an address',
        );
      },
      { more: { '/v1/me': me, '/v1/me/account': without } },
    );
    await opened('/wallet', async (page) => {
      await page.getByRole('heading', { name: 'Wallet' }).waitFor();
      equal(await page.getByText('Please confirm your email address').count(), 0, 'reminders of a guest');
    });
  });
}

function resetting() {
  test('a forgotten password: the player requests a link', async () => {
    const sent = [];
    await opened(
      '/',
      async (page) => {
        await page.getByText('Sign in', { exact: true }).first().click();
        await page.getByRole('link', { name: 'Forgot your password?' }).click();
        const ask = page.getByRole('button', { name: 'Email me a link' });
        await ask.waitFor(); // the sign-in page also has a field with this name
        await page.getByLabel('Email').fill(' mia@example.org');
        await ask.click();
        await page.getByText('If there’s an account with this address').waitFor();
        equal(sent, [{ email: 'mia@example.org' }], 'what was sent');
      },
      { more: { '/v1/auth/forgot': noted(sent, '') }, stranger: true },
    );
  });
  test('a new password is set by the link, and errors are shown next to it', async () => {
    const sent = [];
    const fault = {
      pointer: '/password',
      code: 'too_short',
      detail: 'The member `password` must have 8 to 128 characters.',
      min: 8,
      max: 128,
    };
    const bad = {
      code: 'bad_length',
      status: 422,
      title: 'Wrong length',
      detail: fault.detail,
      errors: [fault],
    };
    await opened(
      `/reset#${TOKEN}`,
      async (page) => {
        const field = page.getByLabel('New password');
        const set = page.getByRole('button', { name: 'Set password' });
        await field.fill('two little words');
        await set.click();
        await page.locator('[data-fault="/password"]').waitFor();
        await field.fill('seven sleeping camels');
        await set.click();
        await page.getByText('Your new password is set').waitFor();
        equal(
          sent.map((body) => body.token),
          [TOKEN, TOKEN],
          'the token of each',
        );
        equal(sent[1].password, 'seven sleeping camels', 'the password');
        equal(sent[1].clean_up, true, 'whether everything else is removed');
        await tokenIsGone(page, '/reset');
      },
      {
        more: {
          '/v1/auth/reset/ways': NO_WAYS,
          '/v1/auth/reset': noted(sent, () => (sent.length === 1 ? bad : '')),
        },
        stranger: true,
      },
    );
  });
  test('other ways to sign in are listed, and kept if the player chooses so', async () => {
    for (const keeps of [true, false]) {
      const sent = [];
      await opened(
        `/reset#${TOKEN}`,
        async (page) => {
          await page.getByText('We’ll also remove everything else').waitFor();
          await page.getByText('2 passkeys').waitFor();
          await page.getByText('1 linked sign-in provider').waitFor();
          if (keeps) await page.getByLabel('I added these myself').check();
          else
            equal(
              await page.getByLabel('I added these myself').count(),
              0,
              'ways to keep them at a first proof',
            );
          await page.getByLabel('New password').fill('seven sleeping camels');
          await page.getByRole('button', { name: 'Set password' }).click();
          await page.getByText('Your new password is set').waitFor();
          equal(
            sent,
            [{ token: TOKEN, password: 'seven sleeping camels', clean_up: !keeps }],
            'what was sent',
          );
          await tokenIsGone(page, '/reset');
        },
        {
          more: {
            '/v1/auth/reset/ways': { ...NO_WAYS, passkeys: 2, providers: 1, can_keep: keeps },
            '/v1/auth/reset': noted(sent, ''),
          },
          stranger: true,
        },
      );
    }
  });
  test('an expired reset link is reported before anything is typed', async () => {
    await opened(
      `/reset#${TOKEN}`,
      (page) => page.getByRole('alert').getByText('This link has expired').waitFor(),
      {
        more: { '/v1/auth/reset/ways': INVALID },
        stranger: true,
      },
    );
  });
}

function undoing() {
  test('an address change is reverted by a click, not by opening the page', async () => {
    const sent = [];
    await opened(
      `/undo#${TOKEN}`,
      async (page) => {
        await page.getByText('signs out all devices').waitFor();
        equal(sent, [], 'what was sent by opening');
        await page.getByRole('button', { name: 'Undo the change' }).click();
        await page.getByText('has its old email address again').waitFor();
        equal(sent, [{ token: TOKEN }], 'what was sent');
      },
      { more: { '/v1/auth/undo-email': noted(sent, '') }, stranger: true },
    );
  });
}

function unlocking() {
  test('an account is unlocked by a click, not by opening the page', async () => {
    const sent = [];
    await opened(
      `/unlock#${TOKEN}`,
      async (page) => {
        await page.getByText('Your password stays').waitFor();
        equal(sent, [], 'what was sent by opening');
        await page.getByRole('button', { name: 'Unlock my account' }).click();
        await page.getByText('Your account is unlocked').waitFor();
        equal(sent, [{ token: TOKEN }], 'what was sent');
        await tokenIsGone(page, '/unlock');
      },
      { more: { '/v1/auth/unlock': noted(sent, '') }, stranger: true },
    );
  });
}

function changing() {
  const me = { ...ANSWERS['/v1/me'], kind: 'registered', email_verified: true };
  test('changing the password requires the old one', async () => {
    const sent = [];
    const wrong = { code: 'wrong_password', status: 403, title: 'The password is wrong.' };
    await opened(
      '/account',
      async (page) => {
        const change = page.getByRole('button', { name: 'Change password' });
        await page.getByLabel('Current password').fill('correct horse');
        await page.getByLabel('New password').fill('seven sleeping camels');
        await change.click();
        await page.getByRole('alert').getByText('The password is wrong').waitFor();
        await change.click();
        await page.getByText('Your password is changed').waitFor();
        equal(sent[1], { old_password: 'correct horse', password: 'seven sleeping camels' }, 'what was sent');
        equal(await page.getByLabel('New password').inputValue(), '', 'what is left of it');
      },
      {
        more: {
          '/v1/me': me,
          ...PASSWORD,
          '/v1/me/password': noted(sent, () => (sent.length === 1 ? wrong : '')),
        },
      },
    );
  });
  test('the address is changed by a link sent to the new one', async () => {
    const sent = [];
    await opened(
      '/account',
      async (page) => {
        await page.getByLabel('New address').fill('mia@example.net ');
        await page
          .locator('form[aria-labelledby=change-email]')
          .getByLabel('Your password')
          .fill('correct horse');
        await page.getByRole('button', { name: 'Change address' }).click();
        await page.getByText('We’ve sent a link to mia@example.net').waitFor();
        equal(sent, [{ email: 'mia@example.net', password: 'correct horse' }], 'what was sent');
      },
      { more: { '/v1/me': me, ...PASSWORD, '/v1/me/email': noted(sent, '') } },
    );
  });
}

confirming();
resetting();
undoing();
unlocking();
changing();
