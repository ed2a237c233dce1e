/* Friends, muted and blocked players, and invitations: actions on these pages, with mocked responses. */
import { ANSWERS, at, friend, notice } from '../lib/answers.mjs';
import { check, counted, equal, until } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { opened } from '../lib/site.mjs';

/** Friends as a server would store them. */
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
  return {
    done,
    kept,
    more: {
      '/v1/friends': () => ({ items: [...kept.values()] }),
      ...Object.fromEntries(['41', '57', '58', '59'].map((id) => [`/v1/friends/${id}`, one(id)])),
    },
  };
}

function people() {
  test('a request is accepted, a friend removed, a request taken back, by keyboard', async () => {
    const server = friendsServer();
    await opened(
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
        await page.getByRole('button', { name: /^Cancel your request/ }).click();
        await page.locator('[data-friend="59"]').waitFor({ state: 'detached' });
        equal(server.done, ['PUT 57', 'DELETE 58', 'DELETE 59'], 'what was done');
      },
      { more: server.more },
    );
  });
  test('500 friends are shown in pages, and any of them can be found by name', async () => {
    const items = Array.from({ length: 500 }, (_, i) =>
      friend(String(1000 + i), `Friend ${String(i).padStart(3, '0')}`, 'friends', 'Ant'),
    );
    await opened(
      '/friends',
      async (page) => {
        const lines = page.locator('[data-friend]');
        await counted(lines, 20, 'friends at first');
        const tall = await page.evaluate(() => document.documentElement.scrollHeight);
        check(tall < 2500, `the page is ${tall} px tall`);
        const own = await page.getByRole('heading', { name: 'Your page' }).boundingBox();
        check(own.y < (await lines.first().boundingBox()).y, 'the own page is below the friends');
        await page.getByRole('button', { name: 'Show more' }).click();
        await counted(lines, 40, 'friends on two pages');
        await page.getByRole('searchbox', { name: 'Search by name' }).fill('friend 49');
        await counted(lines, 10, 'friends with this name');
        await page.locator('[data-friend="1499"]').waitFor();
        await page.getByRole('searchbox', { name: 'Search by name' }).fill('Xaver');
        await page.getByText('No matching names.').waitFor();
      },
      { more: { '/v1/friends': { items, next: null } } },
    );
  });
  test('players are found by the start of their name, and get a friend request', async () => {
    const server = friendsServer();
    const asked = [];
    const find = (request) => {
      asked.push(new URL(request.url()).searchParams.get('nickname'));
      const all = ['41 Player 1', '58 Noor', '43 Player 2'].map((each) => ({
        player_id: each.slice(0, 2),
        nickname: each.slice(3),
        avatar: 'owl',
        title: 'Ant',
      }));
      return { items: all.filter((each) => each.nickname.startsWith(asked.at(-1))) };
    };
    await opened(
      '/friends',
      async (page) => {
        const field = page.getByRole('searchbox', { name: 'Nickname' });
        await field.pressSequentially('Pl');
        await field.pressSequentially('ayer');
        await page.locator('[data-found="43"]').waitFor();
        await counted(page.locator('[data-found]'), 2, 'found');
        await page.getByRole('button', { name: 'Add Player 1 as a friend' }).click();
        await page.locator('[data-friend="41"][data-state=asked]').waitFor();
        await page
          .locator('[data-found="41"]')
          .getByRole('button', { name: 'Cancel your request to Player 1' })
          .waitFor();
        await field.fill('Noor');
        await page.locator('[data-found="58"]').getByRole('button', { name: 'Play with Noor' }).waitFor();
        await field.fill('Xaver');
        await page.getByText('No nickname starts like that.').waitFor();
        await field.fill('Xa');
        await page.getByText('No nickname starts like that.').waitFor({ state: 'detached' });
        check(
          asked.every((text) => text.length >= 3),
          `asked for ${asked}`,
        );
        equal(asked.at(-1), 'Xaver', 'the last one asked for');
        equal(server.done, ['PUT 41'], 'what was done');
      },
      { more: { ...server.more, '/v1/players': find } },
    );
  });
  test('a friend is asked to a table of the last choice', async () => {
    const server = friendsServer();
    const asked = [];
    const seat = {
      table_id: '917',
      seat: 0,
      ws_url: 'ws://127.0.0.1:1/ws/tables/917',
      ticket: 'a'.repeat(32),
      expires_at: at(1),
      commit: 'c'.repeat(64),
      code: 'K7WQ2M',
    };
    const tables = (request) =>
      request.method() === 'POST' ? (asked.push(request.postDataJSON()), seat) : { items: [], next: null };
    const invite = (request) => (asked.push(`${request.method()} ${new URL(request.url()).pathname}`), '');
    await opened(
      '/friends',
      async (page) => {
        await page.routeWebSocket(/\/ws\/tables\/917/, () => undefined);
        await page.getByRole('button', { name: 'Play with Noor' }).click();
        await page.waitForURL('**/table/917');
        equal(asked[1], 'PUT /v1/friends/58/tables/917', 'who is asked where');
        equal(
          [asked[0].visibility, asked[0].seats - asked[0].bots],
          ['private', 2],
          'a table for two people',
        );
      },
      { more: { ...server.more, '/v1/tables': tables, '/v1/friends/58/tables/917': invite } },
    );
  });
  test('a friend request appears at once, and is declined', async () => {
    const server = friendsServer();
    await opened(
      '/friends',
      async (page, site) => {
        await page.locator('[data-friend="57"]').waitFor();
        await until(() => site.lobbies.length === 1, 'no lobby socket');
        server.kept.set('41', friend('41', 'Player 1', 'asks'));
        site.tell(notice(813, 'friend', { player_id: '41', nickname: 'Player 1', state: 'asks' }));
        await page.getByRole('button', { name: 'Decline Player 1' }).click();
        await page.locator('[data-friend="41"]').waitFor({ state: 'detached' });
      },
      { more: server.more },
    );
  });
  test('a player page offers friend request, mute, and block, and shows a refusal', async () => {
    const server = friendsServer();
    let blocks = [];
    const full = {
      code: 'too_many_blocks',
      status: 409,
      title: "You've reached the maximum number of muted and blocked players.",
    };
    const mute = () => {
      blocks = [{ player_id: '41', nickname: 'Player 1', muted: true, blocked: false }];
      return blocks[0];
    };
    await opened(
      '/players/41',
      async (page) => {
        await page.getByRole('button', { name: 'Add friend' }).click();
        await page.getByText('You sent a friend request').waitFor();
        await page.getByRole('button', { name: 'Mute' }).click();
        await page.getByRole('button', { name: 'Muted', pressed: true }).waitFor();
        await page.getByRole('button', { name: 'Block', exact: true }).click();
        await page.getByRole('alert').getByText('reached the maximum number of muted').waitFor();
        equal(server.done, ['PUT 41'], 'what was done');
      },
      {
        more: {
          ...server.more,
          '/v1/me/blocks': () => ({ items: blocks }),
          '/v1/players/41/mute': mute,
          '/v1/players/41/block': () => full,
        },
      },
    );
  });
}

function invitations() {
  const registered = { ...ANSWERS['/v1/me'], kind: 'registered', created_at: new Date().toISOString() };
  test('an invitation is accepted by its code, and a wrong code gets an explanation', async () => {
    const codes = [];
    const invites = { ...ANSWERS['/v1/invites'], acceptance: 'open' };
    const accept = (request) => {
      const { code } = request.postDataJSON();
      codes.push(code);
      if (code !== '5F0C6CF2')
        return { code: 'invite_unknown', status: 404, title: 'This invitation code doesn’t exist.' };
      invites.acceptance = 'used';
      return { gold: 10 };
    };
    await opened(
      '/invites',
      async (page) => {
        const button = page.getByRole('button', { name: 'Accept' });
        const field = page.getByRole('textbox', { name: 'Code' });
        await field.fill('abc');
        check(await button.isDisabled(), 'a short code can be sent');
        await field.fill('ABCDEFGH');
        await button.click();
        await page.getByRole('alert').getByText('This invitation code doesn’t exist').waitFor();
        await field.fill('5f0c 6cf2');
        await page.keyboard.press('Enter');
        await page.getByText('You’ll get 10 gold once').waitFor();
        await page.getByText('You’ve already accepted an invitation').waitFor();
        await field.waitFor({ state: 'detached' });
        equal(codes, ['ABCDEFGH', '5F0C6CF2'], 'the codes');
      },
      { more: { '/v1/me': registered, '/v1/invites': () => invites, '/v1/me/invitation': accept } },
    );
  });
  test('the server decides who can accept an invitation, even for an old guest who registered today', async () => {
    const upgraded = { ...registered, created_at: at(-1000) };
    const acceptance = (state) => ({
      '/v1/me': upgraded,
      '/v1/invites': { ...ANSWERS['/v1/invites'], acceptance: state },
    });
    const sent = [];
    const accept = (request) => (sent.push(request.postDataJSON().code), { gold: 10 });
    await opened('/invites', (page) => page.getByRole('textbox', { name: 'Code' }).waitFor(), {
      more: acceptance('open'),
    });
    const host = { nickname: 'Noor', avatar: 'owl' };
    await opened(
      '/invite/5f0c6cf2',
      async (page) => {
        await page.getByText('You’ll get 10 gold once').waitFor();
        await page.getByText('Noor invites you to Rummy 51').waitFor();
      },
      {
        more: {
          ...acceptance('open'),
          '/v1/invites/5f0c6cf2': { host, invited_gold: 10 },
          '/v1/me/invitation': accept,
        },
      },
    );
    await opened(
      '/invite/5f0c6cf2',
      (page) => page.getByText('on the day you create your account').waitFor(),
      {
        more: { ...acceptance('late'), '/v1/me/invitation': accept },
      },
    );
    equal(sent, ['5F0C6CF2'], 'what was sent without a click');
  });
  test('the link of an invitation leads a stranger to a new account', async () => {
    let sent = null;
    const register = (request) => {
      sent = request.postDataJSON();
      return {
        code: 'invite_full',
        status: 409,
        title: 'This code has been used too often today. Please try again tomorrow.',
      };
    };
    await opened(
      '/invite/5f0c6cf2',
      async (page, site) => {
        await page.getByText('Noor invites you to Rummy 51').waitFor();
        await page.getByText('New account').click();
        await page.getByText('You’ll get 10 gold as a gift').waitFor();
        await page.getByLabel('Nickname').fill('Noor');
        await page.getByLabel('Email').fill('noor@example.org');
        await page.getByLabel('Password').fill('seven sleeping camels');
        await page.getByRole('button', { name: 'Create account' }).click();
        await page.getByRole('alert').getByText('try again tomorrow').waitFor();
        equal(sent.invite_code, '5F0C6CF2', 'the code that was sent');
        await site.shot('laptop-invited');
      },
      {
        stranger: true,
        more: {
          '/v1/auth/register': register,
          '/v1/invites/5f0c6cf2': { host: { nickname: 'Noor', avatar: 'owl' }, invited_gold: 10 },
        },
      },
    );
  });
  test('the player’s link is copied', () =>
    opened('/invites', async (page) => {
      equal(
        await page.getByLabel('Your invitation link').inputValue(),
        `${here.origin}/invite/5F0C6CF2`,
        'the link',
      );
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
      await page.getByRole('button', { name: 'Copy link' }).click();
      await page.getByRole('button', { name: 'Copied' }).waitFor();
      equal(
        await page.evaluate(() => navigator.clipboard.readText()),
        `${here.origin}/invite/5F0C6CF2`,
        'what was copied',
      );
    }));
}

people();
invitations();
