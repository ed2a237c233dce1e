/* The player's account, its limits, and the shop: actions on these pages, with mocked responses. */
import { ANSWERS, at, order } from '../lib/answers.mjs';
import { becomes, check, counted, equal } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { AWAY, opened } from '../lib/site.mjs';

/** A browser whose push service is a fake: its calls are recorded in `window.pushed`. */
function pretendPush() {
  window.pushed = [];
  const keys = { p256dh: `${'p'.repeat(87)}=`, auth: `${'a'.repeat(22)}==` };
  let held = null;
  const subscription = {
    options: { applicationServerKey: null },
    toJSON: () => ({ endpoint: 'https://fcm.googleapis.com/fcm/send/one', keys }),
    unsubscribe: async () => {
      held = null;
      window.pushed.push('unsubscribe');
    },
  };
  const pushManager = {
    subscribe: async ({ userVisibleOnly, applicationServerKey }) => {
      window.pushed.push(`subscribe ${userVisibleOnly} ${applicationServerKey.length}`);
      subscription.options.applicationServerKey = applicationServerKey.buffer;
      held = subscription;
      return held;
    },
    getSubscription: async () => held,
  };
  const registration = { pushManager, addEventListener: () => undefined };
  const serviceWorker = {
    ready: Promise.resolve(registration),
    register: async () => registration,
    getRegistration: async () => registration,
    addEventListener: () => undefined,
  };
  Object.defineProperty(navigator, 'serviceWorker', { value: serviceWorker });
  Object.defineProperty(window, 'PushManager', { value: class {} });
  Notification.requestPermission = async () => {
    window.pushed.push('asked');
    return window.answer ?? 'granted';
  };
}

function pushing({ visit }) {
  const key = `B${'K'.repeat(86)}`;
  test('push notifications are turned on by a click, which registers the browser, and off', async () => {
    const sent = [];
    let there = [];
    const more = {
      '/v1/push': { webpush_key: key, kinds: ['webpush'] },
      '/v1/me/notification-settings': (request) => {
        if (request.method() === 'GET')
          return {
            push_friend: true,
            push_season: true,
            push_table_invite: true,
            push_tournament_table: true,
            push_your_turn: true,
            mail_your_turn: false,
            week: true,
          };
        sent.push(request.postDataJSON());
        return {
          push_friend: true,
          push_season: false,
          push_table_invite: true,
          push_tournament_table: true,
          push_your_turn: true,
          mail_your_turn: false,
          week: true,
        };
      },
      '/v1/me/devices': (request) => {
        if (request.method() === 'GET') return { items: there };
        sent.push(request.postDataJSON());
        there = [
          {
            id: '5',
            kind: 'webpush',
            service: 'fcm.googleapis.com',
            current: true,
            created_at: at(0),
            used_at: null,
          },
        ];
        return there[0];
      },
      '/v1/me/devices/5': (request) => {
        sent.push(request.method());
        there = [];
        return '';
      },
    };
    await visit('/account', more, async (page) => {
      await page.evaluate(pretendPush).catch(() => undefined);
      await page.addInitScript(pretendPush);
      await page.reload();
      const on = page.getByRole('button', { name: 'Turn on notifications' });
      await on.waitFor();
      equal(await page.evaluate(() => window.pushed), [], 'before a click');
      await page.evaluate(() => (window.answer = 'denied'));
      await on.click();
      await page.getByText('doesn’t allow notifications').waitFor();
      equal(sent, [], 'what a refusal sends');
      await page.evaluate(() => (window.answer = 'granted'));
      await on.click();
      const season = page.getByLabel('A season has ended');
      await season.uncheck();
      await page.getByRole('button', { name: 'Turn off notifications' }).click();
      await on.waitFor();
      equal(
        await page.evaluate(() => window.pushed),
        ['asked', 'asked', 'subscribe true 65', 'unsubscribe'],
        'the browser',
      );
      const device = {
        kind: 'webpush',
        endpoint: 'https://fcm.googleapis.com/fcm/send/one',
        p256dh: 'p'.repeat(87),
        auth: 'a'.repeat(22),
      };
      equal(sent, [device, { push_season: false }, 'DELETE'], 'the server');
    });
  });
  test('nothing is offered where the server pushes to no browser', () =>
    visit('/account', { '/v1/push': { webpush_key: null, kinds: [] } }, async (page) => {
      await page.getByRole('button', { name: 'Save limits' }).waitFor();
      equal(await page.getByRole('heading', { name: 'Notifications' }).count(), 0, 'headings');
    }));
}

function ownAccount({ visit }) {
  test('limits are set: only changes are sent, and a refusal is shown', async () => {
    const sent = [];
    const limits = (request) => {
      if (request.method() === 'GET') return ANSWERS['/v1/me/limits'];
      if (sent.push(request.postDataJSON()) === 1) return AWAY;
      return { ...ANSWERS['/v1/me/limits'], minutes_per_day: 30, excluded_until: at(24 * 7), pending: [] };
    };
    await visit('/account', { '/v1/me/limits': limits }, async (page) => {
      const save = page.getByRole('button', { name: 'Save limits' });
      await page.getByLabel('Minutes of play per day').fill('30');
      await page.getByLabel('Take a break for').selectOption({ label: 'one week' });
      await save.click();
      await page.getByRole('alert').getByText('having trouble').waitFor();
      await save.click();
      await page.getByText('Saved.').waitFor();
      equal(
        sent,
        [
          { minutes_per_day: 30, exclude_days: 7 },
          { minutes_per_day: 30, exclude_days: 7 },
        ],
        'what was sent',
      );
      check(await save.isDisabled(), 'the same can be saved again');
      equal(
        await page.getByLabel('Take a break for').locator('option').first().innerText(),
        'no change',
        'the break',
      );
    });
  });
  test('an export is requested, created, and saved whole', async () => {
    const made = {
      state: 'making',
      id: '12',
      asked_at: at(0),
      ready_at: null,
      expires_at: null,
      parts: 0,
      lines: 0,
      bytes: 0,
    };
    const answers = [
      { state: 'none' },
      made,
      { ...made, state: 'ready', ready_at: at(0), expires_at: at(24 * 7), parts: 2, lines: 4, bytes: 24 },
    ];
    let now = answers[0]; // kept until the page has shown it, because the page may poll immediately
    await visit(
      '/account',
      {
        '/v1/me/export': (request) => (request.method() === 'POST' ? (now = answers[1]) : now),
        '/v1/me/export/12/parts/1': { n: 1 },
        '/v1/me/export/12/parts/2': { n: 2 },
      },
      async (page) => {
        const panel = page.locator('form[aria-labelledby=export]');
        equal(await panel.getByLabel('Your password').count(), 0, 'fields for the password of a guest');
        await panel.getByRole('button', { name: 'Request my data' }).click();
        await panel.locator('[data-export=making]').waitFor();
        now = answers[2];
        await panel.locator('[data-export=ready]').waitFor();
        const saving = page.waitForEvent('download');
        await panel.getByRole('button', { name: 'Download' }).click();
        const file = await saving;
        equal(file.suggestedFilename(), 'rummyd-my-data-12.ndjson', 'the name');
        let text = '';
        for await (const piece of await file.createReadStream()) text += piece;
        equal(text, '{"n":1}{"n":2}', 'the file');
      },
    );
  });
  test('the account is deleted by a word that is typed, and kept after all', async () => {
    const sent = [];
    const pending = {
      state: 'pending',
      asked_at: at(0),
      due_at: at(24 * 14),
      by_operator: false,
      waits_for: ['table'],
    };
    let now = { state: 'none', days: 14 };
    await visit(
      '/account',
      {
        '/v1/me/deletion': (request) => {
          if (request.method() === 'GET') return now;
          sent.push(`${request.method()} ${request.postData()}`);
          return (now = request.method() === 'POST' ? pending : { state: 'none', days: 14 });
        },
      },
      async (page) => {
        const panel = page.locator('form[aria-labelledby=deletion]');
        await panel.getByRole('button', { name: 'Delete my account…' }).click();
        await panel.getByText('no one can restore it').waitFor();
        const really = panel.getByRole('button', { name: 'Delete my account', exact: true });
        check(await really.isDisabled(), 'it can be deleted without confirmation');
        await panel.getByLabel('To confirm').fill('remove');
        check(await really.isDisabled(), 'another word will do');
        await panel.getByLabel('To confirm').fill('Delete');
        await really.click();
        await panel.locator('[data-deletion=pending]').getByText('your current game has to end').waitFor();
        const banner = page.getByRole('complementary', { name: 'Account deletion' });
        await banner.getByRole('button', { name: 'Keep it' }).click();
        await banner.waitFor({ state: 'detached' });
        await panel.getByRole('button', { name: 'Delete my account…' }).waitFor();
        equal(sent, ['POST {"confirm":"delete"}', 'DELETE null'], 'what was sent');
      },
    );
  });
  test('sessions are listed and ended: one, all others, or all', async () => {
    const sent = [];
    let items = ANSWERS['/v1/me/sessions'].items;
    const without = (gone) => (request) => {
      sent.push(`${request.method()} ${new URL(request.url()).pathname} ${request.headers().authorization}`);
      items = items.filter((item) => !gone(item));
      return '';
    };
    await visit(
      '/account',
      {
        '/v1/me/sessions': () => ({ items }),
        '/v1/me/sessions/4802': without((item) => item.id === '4802'),
        '/v1/auth/logout-others': without((item) => !item.current),
        '/v1/auth/logout-everywhere': without(() => true),
      },
      async (page) => {
        const panel = page.locator('section[aria-labelledby=sessions]');
        await panel.locator('[data-session="5117"]').getByText('This device').waitFor();
        await counted(panel.getByText('This device'), 1, 'devices that are this one');
        await becomes(
          () => panel.locator('li strong').allInnerTexts(),
          ['Firefox on Linux', 'RummyApp', 'A device'],
          'names of the sessions',
        );
        check(
          (await panel.locator('[data-session="4802"]').innerText()).includes('2001:db8:77::/48'),
          'the place is not said',
        );
        await panel.getByRole('button', { name: 'Sign out RummyApp' }).click();
        await panel.getByText('Signed out.').waitFor();
        await counted(panel.locator('li'), 2, 'sessions then');
        await panel.getByRole('button', { name: 'Sign out all other devices' }).click();
        await panel.getByText('All other devices are signed out').waitFor();
        await counted(panel.locator('li button'), 0, 'others then');
        await panel.getByRole('button', { name: 'Sign out everywhere' }).click();
        await page.getByText('New account').waitFor();
        equal(
          sent,
          [
            'DELETE /v1/me/sessions/4802 Bearer a',
            'POST /v1/auth/logout-others Bearer a',
            'POST /v1/auth/logout-everywhere Bearer a',
          ],
          'what was sent',
        );
        equal(await page.evaluate(() => localStorage.getItem('rummyd:session')), null, 'stored tokens');
      },
    );
  });
}

const wrong = (...errors) => ({
  code: 'bad_format',
  status: 422,
  title: 'Wrong format',
  detail: 'The first of them.',
  errors,
});
const besides = (page) =>
  page
    .locator('label [data-fault]')
    .evaluateAll((all) =>
      all.map((el) => [el.dataset.fault, el.textContent, el.closest('label').control.ariaInvalid]),
    );

/** Faults are shown next to the input they concern. */
function wrongFields({ visit, asStranger }) {
  test('errors of a sign-up are shown next to their fields', async () => {
    const email = {
      pointer: '/email',
      code: 'not_an_email',
      detail: 'The member `email` must be an email address.',
    };
    const password = {
      pointer: '/password',
      code: 'too_short',
      detail: 'The member `password` must have 8 to 128 characters.',
      min: 8,
      max: 128,
    };
    let answer = wrong(email, password);
    await asStranger('/', { '/v1/auth/register': () => answer }, async (page) => {
      const create = page.getByRole('button', { name: 'Create account' });
      await page.getByText('New account').click();
      await page.getByLabel('Nickname').fill('Mia');
      await page.getByLabel('Email').fill('mia@example');
      await page.getByLabel('Password').fill('seven sleeping camels');
      await create.click();
      await page.getByRole('alert').getByText('Please check the fields marked above.').waitFor();
      const both = [
        ['/email', 'Please enter a valid email address.', 'true'],
        ['/password', 'Use 8 to 128 characters.', 'true'],
      ];
      equal(await besides(page), both, 'errors next to the fields');
      equal(
        await page.getByLabel('Nickname').getAttribute('aria-invalid'),
        'false',
        'the field nothing is wrong with',
      );
      /* Faults without a field are shown below, with the server's name for the first one. */
      answer = wrong(email, {
        pointer: '/device',
        code: 'unknown',
        detail: 'The member `device` is unknown.',
      });
      await create.click();
      await page.getByRole('alert').getByText('The first of them.').waitFor();
      equal(await besides(page), [both[0]], 'remaining errors next to the fields');
      answer = wrong({
        pointer: '/password',
        code: 'password_too_common',
        detail: 'The member `password` …',
      });
      await create.click();
      await page
        .locator('[data-fault="/password"]')
        .getByText('This password is too easy to guess')
        .waitFor();
      answer = wrong({
        pointer: '/password',
        code: 'password_is_context',
        detail: 'The member `password` …',
        min: 8,
      });
      await create.click();
      await page.locator('[data-fault="/password"]').getByText('at least 8 other characters').waitFor();
      answer = {
        code: 'email_taken',
        status: 409,
        title: 'Taken',
        detail: 'This e-mail address has an account.',
      };
      await create.click();
      await page.getByRole('alert').getByText('already an account').waitFor();
      equal(await besides(page), [], 'errors next to the fields when no field is named');
    });
  });
  test('errors of a new name are shown next to it', async () => {
    const change = (request) =>
      request.method() === 'GET'
        ? ANSWERS['/v1/me']
        : wrong({ pointer: '/nickname', code: 'name_separator', detail: 'The member `nickname` …' });
    await visit('/account', { '/v1/me': change }, async (page) => {
      await page.getByRole('button', { name: 'Name and picture' }).click();
      await page.getByLabel('Nickname').fill('Mia of Oz');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page.locator('[data-fault="/nickname"]').waitFor();
      equal(
        await besides(page),
        [
          [
            '/nickname',
            'Start and end with a letter or digit, and use single spaces or signs in between.',
            'true',
          ],
        ],
        'errors next to the name',
      );
    });
  });
  test('a recently changed name shows when it can be changed again', async () => {
    const refused = { pointer: '/nickname', code: 'name_too_soon', detail: 'The member `nickname` …' };
    const when = new Intl.DateTimeFormat('en-US', { day: 'numeric', month: 'short' });
    const change = (request) =>
      request.method() === 'GET'
        ? ANSWERS['/v1/me']
        : { ...wrong(refused), code: 'name_too_soon', status: 429, retry_s: 864000 };
    await visit('/account', { '/v1/me': change }, async (page) => {
      await page.getByRole('button', { name: 'Name and picture' }).click();
      await page.getByLabel('Nickname').fill('Mia of Oz');
      await page.getByRole('button', { name: 'Save', exact: true }).click();
      await page
        .locator('[data-fault="/nickname"]')
        .getByText(`again on ${when.format(Date.now() + 864e6)}`)
        .waitFor();
    });
    const fixed = { ...ANSWERS['/v1/me'], nickname_changes_at: at(120) };
    await visit('/account', { '/v1/me': fixed }, async (page) => {
      await page.getByRole('button', { name: 'Name and picture' }).click();
      await page.getByText(`again on ${when.format(new Date(fixed.nickname_changes_at))}`).waitFor();
      equal(await page.getByLabel('Nickname').getAttribute('readonly'), '', 'the field');
    });
  });
}

function entering({ visit, asStranger }) {
  test('the device keeps its token beyond the session, and sends it at the next sign-in', async () => {
    const sent = [];
    const login = (request) => {
      sent.push(request.postDataJSON());
      return {
        access_token: 'b',
        token_type: 'Bearer',
        expires_in: 900,
        refresh_token: 's',
        device_token: `device-token-number-${sent.length}`,
        player: ANSWERS['/v1/me'],
      };
    };
    await asStranger('/', { '/v1/auth/login': login, '/v1/auth/logout': () => ({}) }, async (page) => {
      for (let n = 1; n <= 2; n++) {
        await page.getByText('Sign in').first().click();
        await page.getByLabel('Email').fill('mia@example.org');
        await page.getByLabel('Password').fill('seven sleeping camels');
        await page.getByRole('button', { name: 'Sign in', exact: true }).click();
        await page.waitForFunction(
          (key) => localStorage.getItem('rummyd:device_token') === key,
          JSON.stringify(`device-token-number-${n}`),
        );
        await page.goto(`${here.origin}/account`);
        await page.getByRole('button', { name: 'Sign out', exact: true }).click();
      }
      const body = { email: 'mia@example.org', password: 'seven sleeping camels' };
      equal(sent, [body, { ...body, device_token: 'device-token-number-1' }], 'what was sent');
    });
  });
  test('a guest becomes an account, and the guest token is sent with it', async () => {
    let sent = null;
    const upgrade = (request) => {
      sent = { ...request.postDataJSON(), token: request.headers().authorization };
      const player = { ...ANSWERS['/v1/me'], kind: 'registered' };
      return { access_token: 'b', token_type: 'Bearer', expires_in: 900, refresh_token: 's', player };
    };
    await visit('/account', { '/v1/auth/upgrade': upgrade }, async (page) => {
      await page.getByLabel('Email').fill('mia@example.org');
      await page.getByLabel('Password').fill('seven sleeping camels');
      await page.getByLabel('Code from the player who invited you').fill('5f0c-6cf2');
      await page.getByRole('button', { name: 'Create account' }).click();
      await page.getByText('Your account is ready').waitFor();
      await page.locator('[data-kind=registered]').waitFor();
      equal(
        sent,
        {
          email: 'mia@example.org',
          password: 'seven sleeping camels',
          invite_code: '5F0C6CF2',
          token: 'Bearer a',
        },
        'what was sent',
      );
    });
  });
}

function shop({ visit }) {
  test('a pack is bought, and an attempt without a reply is repeated with its key', async () => {
    const keys = [];
    const create = (request) => {
      if (request.method() === 'GET') return ANSWERS['/v1/shop/orders'];
      keys.push(request.headers()['idempotency-key']);
      const away = {
        code: 'payment_unavailable',
        status: 503,
        title: 'The payment provider can’t be reached.',
      };
      return keys.length === 1 ? away : order('pending', { pay_url: `${here.origin}/leagues` });
    };
    await visit('/shop', { '/v1/shop/orders': create }, async (page) => {
      const button = page.getByRole('button', { name: 'Pay by card: 300 gold for €3.99' });
      /* A collapsing space would make screen readers say "300gold". */
      equal(
        await page.locator('[data-pack=gold_300] .chips .sr-only').innerText(),
        '\u00a0gold',
        'what is read out behind 300',
      );
      await page.getByRole('link', { name: 'Your chips: 96 silver, 20 gold' }).waitFor();
      await button.click();
      await page.getByText('can’t be reached').waitFor();
      await button.click();
      await page.waitForURL('**/leagues');
      equal(new Set(keys).size, 1, 'keys of a try and its repeat');
      equal(keys.length, 2, 'tries');
    });
  });
  test('a pack is paid by SMS: the page shows what to send, and waits for the gold', async () => {
    const waiting = order('pending', { provider: 'sms', pay_url: 'sms:70707?body=GOLD%207K3F9QXY2Z' });
    let looks = 0;
    await visit(
      '/shop',
      {
        '/v1/shop/packs': { ...ANSWERS['/v1/shop/packs'], providers: ['stripe', 'paypal', 'sms'] },
        '/v1/shop/orders': (request) =>
          request.method() === 'POST'
            ? waiting
            : { items: [looks < 2 ? waiting : order('paid')], next: null },
        '/v1/shop/orders/41': () => (++looks < 2 ? waiting : order('paid')),
      },
      async (page) => {
        await page.getByRole('button', { name: 'Pay with PayPal: 300 gold' }).waitFor();
        await page.getByRole('button', { name: 'Pay by SMS: 300 gold' }).click();
        await page.getByText('Send GOLD 7K3F9QXY2Z to 70707').waitFor();
        equal(
          await page.getByRole('link', { name: 'Write the message' }).getAttribute('href'),
          waiting.pay_url,
          'where it leads',
        );
        await page.getByText('You got').waitFor();
        await page.locator('[data-shop=sms]').waitFor({ state: 'detached' });
      },
    );
  });
  test('coming back from paying waits for the gold', async () => {
    let looks = 0;
    const pending = { items: [order('pending', { pay_url: 'https://pay.example/' })], next: null };
    await visit(
      '/shop?paid=x',
      {
        '/v1/shop/orders': () => (looks < 2 ? pending : { items: [order('paid')], next: null }),
        '/v1/shop/orders/41': () => (++looks < 2 ? pending.items[0] : order('paid')),
      },
      async (page) => {
        await page.getByText('You got 300 gold').waitFor();
        equal(looks, 2, 'looks at the order');
        equal(new URL(page.url()).search, '', 'the query');
      },
    );
  });
  test('without a provider the shop shows that buying is disabled', () =>
    visit('/shop', { '/v1/shop/packs': { ...ANSWERS['/v1/shop/packs'], providers: [] } }, async (page) => {
      await page.locator('[data-shop=off]').waitFor();
      equal(await page.locator('[data-pack]').count(), 0, 'packs that no one can buy');
    }));
}

const visitor = (stranger) => (path, more, work) => opened(path, work, { more, stranger });
const there = { visit: visitor(false), asStranger: visitor(true) };
for (const tests of [pushing, ownAccount, wrongFields, entering, shop]) tests(there);
