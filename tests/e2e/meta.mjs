/* The pages of the game around the games (ranks, leagues, profile, wallet, shop, notifications, friends, invitations, account):
 * the built page on fixed answers (lib/answers.mjs), no server behind it, from a phone to a laptop. E2E_SHOTS names a folder
 * for a picture of each. */
import { ANSWERS, at, friend, NEW, notice, order, RICH, SAID } from './lib/answers.mjs';
import { check, equal, test, until } from './lib/harness.mjs';
import { Site } from './lib/site.mjs';

const SIZES = {
  'a phone of 360': { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  'a tablet of 768': { viewport: { width: 768, height: 1024 }, hasTouch: true },
  'a laptop of 1366': { viewport: { width: 1366, height: 768 } },
};
const PHONE = SIZES['a phone of 360'];
const AWAY = { code: 'unavailable', status: 503, title: 'The database is away.' };

/** The pages of the tests that do something: one for all, and one for a stranger. */
const scenes = new Map();

async function opened(browser, origin, path, work, { more = {}, stranger = false } = {}) {
  if (!scenes.has(stranger)) scenes.set(stranger, await new Site().open(browser, origin, { stranger, ...SIZES['a laptop of 1366'] }));
  const scene = scenes.get(stranger);
  scene.begin({ ...ANSWERS, ...more });
  await scene.goto(path);
  await work(scene.page, scene);
  scene.clean();
}

const PAGES = {
  '/leaderboards': ['Player 1', 'WWWW', '7999', 'listed from 20'],
  '/leagues': ['Season 3', 'ends in 2 days 3 h', 'a rating below 6200', 'fewer than 30 games', 'Player 2', SAID, '1: 100'],
  '/profile': ['Butterfly, level 3', '91 of 200', '7870', 'Ten wins', '7 of 10', 'Finish a game', '78.7'],
  '/players/57': ['Ben', 'First game', 'Last games', 'League: Tundra', 'Ben asks to be your friend'],
  '/wallet': ['Daily bonus', '30 of it over the cap', 'go on with your streak', 'of 112 silver', 'Reward of a game', 'At table 917'],
  '/shop': ['1000', 'Pay by card', '80 gold taken back', '220 gold short'],
  '/games': ['1st', 'Record'],
  '/notifications': ['2 unread', 'Ben asks to be your friend', 'Open to you now: Tundra', SAID],
  '/friends': ['They ask to be your friends', 'Noor', 'You have asked', 'muted, blocked', 'Your page'],
  '/invites': ['5F0C6CF2', '1 of at most 50', 'Whom you invited', 'on the way', 'Only a registered account'],
  '/account': ['A guest on this device', 'Make an account of this guest', '12 today', '€4.99 today', '120 minutes of play a day'],
};
const RICH_PAGES = {
  '/profile': ['1,234,567', 'The highest level'],
  '/players/57': ['WWWW', '1,234,567'],
  '/wallet': ['1,234,567', 'would be lost over the cap'],
  '/friends': ['They ask', 'Unblock'],
  '/notifications': ['50+ unread', 'Show older'],
};
const NEW_PAGES = {
  '/wallet': ['Nothing has happened yet'],
  '/games': ['No game finished yet'],
  '/leagues': ['You join with your first game', 'No season of yours'],
  '/leaderboards': ['Nobody is on this board yet'],
  '/profile': ['No game finished yet'],
  '/shop': ['Nothing ordered yet', '1000', 'Not for sale here'],
  '/notifications': ['You have read them all', 'Nothing yet'],
  '/friends': ['No friends yet'],
  '/invites': ['Nobody yet'],
  '/nosuch': ['There is nothing at this address', 'To the rooms'],
};

/** Every page at every width; at the narrowest with the longest names and with nothing at all, too. */
async function looks(browser, origin) {
  const of = async (name, scene, answers, pages, about = '') => {
    scene.begin(answers);
    for (const [path, words] of Object.entries(pages))
      await test(`${path}${about} on ${name}`, async () => {
        await scene.shows(path, words);
        await scene.shot(`${name.split(' ').at(-1)}${about.replaceAll(' ', '-')}${path.replaceAll('/', '-')}`);
        scene.clean();
      });
  };
  for (const [name, options] of Object.entries(SIZES)) {
    const scene = await new Site().open(browser, origin, options);
    await of(name, scene, ANSWERS, PAGES);
    if (options === PHONE) await of(name, scene, RICH, RICH_PAGES, ' of a rich player');
    if (options === PHONE) await of(name, scene, NEW, NEW_PAGES, ' of a new player');
    await scene.context.close();
  }
}

async function lists(browser, origin) {
  await test('another board is chosen, the own neighbourhood on it, and friends page by page', () =>
    opened(browser, origin, '/leaderboards', async (page) => {
      await page.getByText('Player 1').waitFor();
      await page.getByLabel('By').selectOption('wins');
      await page.getByText('Nobody is on this board yet').waitFor();
      await page.getByLabel('Time').selectOption('all');
      await page.getByRole('button', { name: 'Around me' }).click();
      await page.getByText('Player 2').waitFor();
      equal(await page.locator('tr.own').count(), 1, 'own lines');
      await page.getByRole('button', { name: 'My friends' }).click();
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByText('Player 60').waitFor();
      equal(await page.locator('tbody tr').count(), 2, 'friends on two pages');
      equal(await page.getByRole('button', { name: 'Show more' }).count(), 0, 'a way on at the end');
    }));
  await test('another league is chosen, and a player of a table looked at', () =>
    opened(browser, origin, '/leagues', async (page) => {
      await page.getByText('Player 1').waitFor();
      check((await page.locator('tr.unranked').innerText()).startsWith('–'), 'one without enough games has no place');
      await page.getByRole('button', { name: 'Desert' }).click();
      await page.getByText('Nobody has played in this league yet').waitFor();
      await page.getByRole('button', { name: 'Tundra' }).click();
      await page.getByText('Player 1').click();
      await page.waitForURL('**/players/41');
      await page.getByRole('heading', { level: 1, name: 'Player 1' }).waitFor();
    }));
  await test('a list says what went wrong, is tried again, and goes on', async () => {
    let tries = 0;
    const older = { items: [{ ...ANSWERS['/v1/wallet/postings'].items[0], id: '2', text: 'An older one' }], next: null };
    const postings = (request) => {
      if (tries++ === 0) return AWAY;
      return request.url().includes('cursor=p2') ? older : ANSWERS['/v1/wallet/postings'];
    };
    await opened(
      browser,
      origin,
      '/wallet',
      async (page, scene) => {
        await page.getByRole('alert').getByText('The database is away').waitFor();
        await scene.shot('laptop-wrong-wallet');
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('Reward of a game').waitFor();
        equal(await page.getByRole('alert').count(), 0, 'what is still wrong');
        await page.getByRole('button', { name: 'Show older' }).click();
        await page.getByText('An older one').waitFor();
        equal(await page.getByText('Reward of a game').count(), 1, 'the first page stays');
        equal(await page.getByRole('button', { name: 'Show older' }).count(), 0, 'a way on at the end');
      },
      { more: { '/v1/wallet/postings': postings } },
    );
  });
}

async function told(browser, origin) {
  await test('a notification arrives: a number at the bell, the words for a moment, and the purse', async () => {
    let gold = 20;
    await opened(
      browser,
      origin,
      '/wallet',
      async (page, scene) => {
        await page.locator('.bell [data-unread="2"]').waitFor();
        await until(() => scene.lobbies.length === 1, 'no lobby socket');
        gold = 35;
        scene.tell(notice(813, 'level', { level: 7, title: 'Frog', gold: 15, rooms: [] }));
        await page.locator('.bell [data-unread="3"]').waitFor();
        await scene.shot('laptop-news');
        scene.tell(notice(813, 'level', { level: 7, title: 'Frog', gold: 15, rooms: [] }));
        await page.locator('[data-purse=gold]').getByText('35').waitFor();
        await page.locator('[data-news=level]').click();
        await page.waitForURL('**/profile');
        await page.locator('[data-news]').waitFor({ state: 'detached' });
        await page.getByRole('link', { name: 'Notifications, 3 unread' }).click();
        await page.getByText('You reached level 7').waitFor();
        equal(await page.locator('tr.unread').count(), 3, 'lines that are new');
        equal(scene.lobbies.length, 1, 'sockets over three pages');
      },
      { more: { '/v1/wallet': () => ({ ...ANSWERS['/v1/wallet'], gold }) } },
    );
  });
  await test('notifications are marked as read; a refusal is said', async () => {
    const asked = [];
    await opened(
      browser,
      origin,
      '/notifications',
      async (page) => {
        await page.getByRole('button', { name: 'Mark all as read' }).click();
        await page.getByRole('alert').getByText('The database is away').waitFor();
        equal(await page.locator('tr.unread').count(), 2, 'lines that are new after a refusal');
        await page.getByRole('button', { name: 'Mark all as read' }).click();
        await page.getByText('You have read them all').waitFor();
        equal(await page.locator('.bell .badge').count(), 0, 'numbers at the bell');
        equal(asked, [{ up_to: '812' }, { up_to: '812' }], 'what was asked');
      },
      { more: { '/v1/notifications/read-mark': (request) => (asked.push(request.postDataJSON()) === 1 ? AWAY : { unread: 0 }) } },
    );
  });
  await test('after a lost connection what was missed is fetched', async () => {
    let items = ANSWERS['/v1/notifications'].items;
    await opened(
      browser,
      origin,
      '/friends',
      async (page, scene) => {
        await page.locator('.bell [data-unread="2"]').waitFor();
        await until(() => scene.lobbies.length === 1, 'no lobby socket');
        items = [notice(820, 'invite', { nickname: 'Ben', gold: 30 }), ...items];
        await scene.lobbies[0].close({ code: 4001 });
        await page.locator('.bell [data-unread="3"]').waitFor();
      },
      { more: { '/v1/notifications': () => ({ items, next: null }) } },
    );
  });
}

/** Friends as a server would keep them. */
function friendsServer() {
  const kept = new Map(ANSWERS['/v1/friends'].items.map((f) => [f.player_id, f]));
  const done = [];
  const one = (id) => (request) => {
    done.push(`${request.method()} ${id}`);
    if (request.method() === 'DELETE') return kept.delete(id) ? '' : '';
    const state = kept.get(id)?.state === 'asks' ? 'friends' : 'asked';
    kept.set(id, { ...(kept.get(id) ?? friend(id, 'Player 1', state)), state });
    return { state };
  };
  return { done, kept, more: { '/v1/friends': () => ({ items: [...kept.values()] }), ...Object.fromEntries(['41', '57', '58', '59'].map((id) => [`/v1/friends/${id}`, one(id)])) } };
}

async function people(browser, origin) {
  await test('a request is accepted, a friend removed, a request taken back, by keyboard', async () => {
    const server = friendsServer();
    await opened(
      browser,
      origin,
      '/friends',
      async (page) => {
        await page.getByRole('button', { name: 'Accept Ben' }).focus();
        await page.keyboard.press('Enter');
        await page.locator('[data-friend="57"][data-state=friends]').waitFor();
        await page.getByRole('button', { name: 'Remove Noor' }).focus();
        await page.keyboard.press('Enter');
        await page.getByRole('dialog', { name: 'Remove Noor?' }).waitFor();
        await page.keyboard.press('Enter');
        await page.locator('[data-friend="58"]').waitFor({ state: 'detached' });
        await page.getByRole('dialog').waitFor({ state: 'detached' });
        await page.getByRole('button', { name: /^Take back/ }).click();
        await page.locator('[data-friend="59"]').waitFor({ state: 'detached' });
        equal(server.done, ['PUT 57', 'DELETE 58', 'DELETE 59'], 'what was done');
      },
      { more: server.more },
    );
  });
  await test('who asks appears at once, and is declined', async () => {
    const server = friendsServer();
    await opened(
      browser,
      origin,
      '/friends',
      async (page, scene) => {
        await page.locator('[data-friend="57"]').waitFor();
        await until(() => scene.lobbies.length === 1, 'no lobby socket');
        server.kept.set('41', friend('41', 'Player 1', 'asks'));
        scene.tell(notice(813, 'friend', { player_id: '41', nickname: 'Player 1', state: 'asks' }));
        await page.getByRole('button', { name: 'Decline Player 1' }).click();
        await page.locator('[data-friend="41"]').waitFor({ state: 'detached' });
      },
      { more: server.more },
    );
  });
  await test('a player is asked from their page, muted and blocked; a refusal is said', async () => {
    const server = friendsServer();
    let bars = [];
    const full = { code: 'too_many_blocks', status: 409, title: 'You have muted or blocked as many players as you may.' };
    const mute = () => {
      bars = [{ player_id: '41', nickname: 'Player 1', muted: true, blocked: false }];
      return bars[0];
    };
    await opened(
      browser,
      origin,
      '/players/41',
      async (page) => {
        await page.getByRole('button', { name: 'Ask to be friends' }).click();
        await page.getByText('You have asked to be friends').waitFor();
        await page.getByRole('button', { name: 'Mute' }).click();
        await page.getByRole('button', { name: 'Muted', pressed: true }).waitFor();
        await page.getByRole('button', { name: 'Block', exact: true }).click();
        await page.getByRole('alert').getByText('as many players as you may').waitFor();
        equal(server.done, ['PUT 41'], 'what was done');
      },
      { more: { ...server.more, '/v1/me/blocks': () => ({ items: bars }), '/v1/players/41/mute': mute, '/v1/players/41/block': () => full } },
    );
  });
}

async function invitations(browser, origin) {
  const registered = { ...ANSWERS['/v1/me'], kind: 'registered', created_at: new Date().toISOString() };
  await test('an invitation is taken up by its code, a wrong one refused by name', async () => {
    const codes = [];
    const accept = (request) => {
      const { code } = request.postDataJSON();
      codes.push(code);
      return code === '5F0C6CF2' ? { gold: 10 } : { code: 'invite_unknown', status: 404, title: 'Nobody invites with this code.' };
    };
    await opened(
      browser,
      origin,
      '/invites',
      async (page) => {
        const button = page.getByRole('button', { name: 'Take it up' });
        const field = page.getByRole('textbox', { name: 'Code' });
        await field.fill('abc');
        check(await button.isDisabled(), 'a short code can be sent');
        await field.fill('ABCDEFGH');
        await button.click();
        await page.getByRole('alert').getByText('Nobody invites with this code').waitFor();
        await field.fill('5f0c 6cf2');
        await page.keyboard.press('Enter');
        await page.getByText('10 gold are in your purse').waitFor();
        equal(codes, ['ABCDEFGH', '5F0C6CF2'], 'the codes');
      },
      { more: { '/v1/me': registered, '/v1/me/invitation': accept } },
    );
  });
  await test('the link of an invitation leads a stranger to a new account', async () => {
    let sent = null;
    const register = (request) => {
      sent = request.postDataJSON();
      return { code: 'invite_full', status: 409, title: 'Enough accounts have named this inviter for today: try again tomorrow.' };
    };
    await opened(
      browser,
      origin,
      '/invite/5f0c6cf2',
      async (page, scene) => {
        await page.getByText('You were invited').waitFor();
        await page.getByLabel('Nickname').fill('Noor');
        await page.getByLabel('E-mail').fill('noor@example.org');
        await page.getByLabel('Password').fill('seven sleeping camels');
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.getByRole('alert').getByText('try again tomorrow').waitFor();
        equal(sent.invite_code, '5F0C6CF2', 'the code that was sent');
        await scene.shot('laptop-invited');
      },
      { stranger: true, more: { '/v1/auth/register': register } },
    );
  });
  await test('the own link is copied', () =>
    opened(browser, origin, '/invites', async (page) => {
      equal(await page.getByLabel('Your invitation link').inputValue(), `${origin}/invite/5F0C6CF2`, 'the link');
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy the link' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      equal(await page.evaluate(() => navigator.clipboard.readText()), `${origin}/invite/5F0C6CF2`, 'what was copied');
    }));
}

async function account(browser, origin) {
  await test('limits are set: only what was changed is sent, a refusal is said', async () => {
    const sent = [];
    const limits = (request) => {
      if (request.method() === 'GET') return ANSWERS['/v1/me/limits'];
      if (sent.push(request.postDataJSON()) === 1) return AWAY;
      return { ...ANSWERS['/v1/me/limits'], minutes_per_day: 30, excluded_until: at(24 * 7), pending: [] };
    };
    await opened(
      browser,
      origin,
      '/account',
      async (page) => {
        const save = page.getByRole('button', { name: 'Save the limits' });
        await page.getByLabel('Minutes of play a day').fill('30');
        await page.getByLabel('Play no more for').selectOption({ label: 'one week' });
        await save.click();
        await page.getByRole('alert').getByText('The database is away').waitFor();
        await save.click();
        await page.getByText('It holds from now on').waitFor();
        equal(sent, [{ minutes_per_day: 30, exclude_days: 7 }, { minutes_per_day: 30, exclude_days: 7 }], 'what was sent');
        check(await save.isDisabled(), 'the same can be saved again');
        equal(await page.getByLabel('Play no more for').locator('option').first().innerText(), 'as it is', 'the pause');
      },
      { more: { '/v1/me/limits': limits } },
    );
  });
  await test('an account is made of a guest, whose token goes with it', async () => {
    let sent = null;
    const upgrade = (request) => {
      sent = { ...request.postDataJSON(), token: request.headers().authorization };
      const player = { ...ANSWERS['/v1/me'], kind: 'registered' };
      return { access_token: 'b', token_type: 'Bearer', expires_in: 900, refresh_token: 's', player };
    };
    await opened(
      browser,
      origin,
      '/account',
      async (page) => {
        await page.getByLabel('E-mail').fill('mia@example.org');
        await page.getByLabel('Password').fill('seven sleeping camels');
        await page.getByLabel('Code of who invited you').fill('5f0c-6cf2');
        await page.getByRole('button', { name: 'Make the account' }).click();
        await page.getByText('The account is yours').waitFor();
        await page.locator('[data-kind=registered]').waitFor();
        equal(sent, { email: 'mia@example.org', password: 'seven sleeping camels', invite_code: '5F0C6CF2', token: 'Bearer a' }, 'what was sent');
      },
      { more: { '/v1/auth/upgrade': upgrade } },
    );
  });
}

async function shop(browser, origin) {
  await test('a pack is bought; a try without an answer is repeated under its key', async () => {
    const keys = [];
    const create = (request) => {
      if (request.method() === 'GET') return ANSWERS['/v1/shop/orders'];
      keys.push(request.headers()['idempotency-key']);
      const away = { code: 'payment_unavailable', status: 503, title: 'The payment provider cannot be reached.' };
      return keys.length === 1 ? away : order('pending', { pay_url: `${origin}/leagues` });
    };
    await opened(
      browser,
      origin,
      '/shop',
      async (page) => {
        const button = page.getByRole('button', { name: 'Pay by card: 300 gold for €3.99' });
        /* A space that collapses would leave "300gold" to be read out. */
        equal(await page.locator('[data-pack=gold_300] .chips .sr-only').innerText(), '\u00a0gold', 'what is read out behind 300');
        await page.getByRole('link', { name: 'Your purses: 96 silver, 20 gold' }).waitFor();
        await button.click();
        await page.getByText('cannot be reached').waitFor();
        await button.click();
        await page.waitForURL('**/leagues');
        equal(new Set(keys).size, 1, 'keys of a try and its repeat');
        equal(keys.length, 2, 'tries');
      },
      { more: { '/v1/shop/orders': create } },
    );
  });
  await test('coming back from paying waits for the gold', async () => {
    let looks = 0;
    const pending = { items: [order('pending', { pay_url: 'https://pay.example/' })], next: null };
    await opened(
      browser,
      origin,
      '/shop?paid=x',
      async (page) => {
        await page.getByText('300 gold are in your purse').waitFor();
        equal(looks, 2, 'looks at the order');
        equal(new URL(page.url()).search, '', 'the query');
      },
      {
        more: {
          '/v1/shop/orders': () => (looks < 2 ? pending : { items: [order('paid')], next: null }),
          '/v1/shop/orders/41': () => (++looks < 2 ? pending.items[0] : order('paid')),
        },
      },
    );
  });
  await test('without a provider the shop says that buying is off', () =>
    opened(
      browser,
      origin,
      '/shop',
      async (page) => {
        await page.locator('[data-shop=off]').waitFor();
        check(await page.locator('[data-pack=gold_100] button').isDisabled(), 'the button is off');
      },
      { more: { '/v1/shop/packs': { ...ANSWERS['/v1/shop/packs'], providers: [] } } },
    ));
}

export async function metaTests(browser, origin) {
  await looks(browser, origin);
  await lists(browser, origin);
  await told(browser, origin);
  await people(browser, origin);
  await invitations(browser, origin);
  await account(browser, origin);
  await shop(browser, origin);
  for (const scene of scenes.values()) await scene.context.close();
}
