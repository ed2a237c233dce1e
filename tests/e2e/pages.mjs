/* Every page around the table on fixed answers, no server behind it, from a phone to a laptop; lists that come page by page,
 * and what is told as it happens. E2E_SHOTS names a folder for a picture of each page. */
import { readFile } from 'node:fs/promises';
import { ANSWERS, at, friend, NEW, notice, RICH, SAID } from './lib/answers.mjs';
import { check, counted, equal, short, test, until } from './lib/harness.mjs';
import { AWAY, opened, Site } from './lib/site.mjs';
import { views } from './lib/views.mjs';

const SIZES = {
  'a phone of 360': { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  'a tablet of 768': { viewport: { width: 768, height: 1024 }, hasTouch: true },
  'a laptop of 1366': { viewport: { width: 1366, height: 768 } },
};
const PHONE = SIZES['a phone of 360'];

const PAGES = {
  '/': ['A game is waiting for you', 'Return to the table', 'A table couldn’t go on', 'get your stake back', 'It’s your turn', 'table 920 · until', 'Another player’s turn', 'clock stands still', 'Daily deal', 'Your game is still going', 'nobody has played it yet', '4 days in a row'],
  '/daily': ['The same cards for everybody', 'Place 3 of 128 · 97.6%', 'Player 1', '99%', 'The cards stay hidden'],
  '/tournaments': ['Friday cup', 'Straight rummy · Knock-out', 'Starts when 5 more have entered', 'you’re in', '9,999 of 10,000', 'Same deal for all'],
  '/tournaments/12': ['Being played', 'The first of each table goes on', 'your table is waiting for you', 'To your table', 'Bracket', 'Round 1', 'goes on', 'See it again', 'Standings', '65%'],
  '/tournaments/13': ['Over', 'Everybody plays 2 rounds', 'You finished in place 2 of 8', 'You won', 'Round 2 of 2', 'Prize'],
  '/tournaments/16': ['Same deal for all', 'every table gets the same cards', 'Beats', '88.1%', '66.7%', 'Seat 3 at all tables'],
  '/tournaments/17': ['Same deal for all', 'Beats', '88.1%', 'results after the round', 'Being played'],
  '/tournaments/18': ['Two teams', 'Two tables play the same cards', 'shares the pot', 'Team 1', '0 places free', '1 place free', 'Join team 2 for 20 chips'],
  '/tournaments/19': ['Your team won.', 'Team 2', 'your team', 'won', '310', '260', '−1075', 'Seat 3 at all tables', 'You won'],
  '/tournaments/15': ['Filling up', 'You’re in.', 'kept in the pot', 'It comes back if you withdraw', 'Withdraw', 'Bots fill it up to 8 seats', 'the more there is to win'],
  '/leaderboards': ['Player 1', 'WWWW', '7999', 'listed once somebody has played 20'],
  '/leagues': ['Season 3', 'ends in 2 days 3 h', 'a rating below 6200', 'fewer than 30 games', 'Player 2', SAID, '1: 100'],
  '/profile': ['Butterfly, level 3', '91 of 200', '7870', 'Ten wins', '7 of 10', 'Finish a game', '78.7'],
  '/players/57': ['Ben', 'First game', 'Recent games', 'League: Tundra', 'Ben wants to be your friend'],
  '/wallet': ['Daily bonus', '30 of it over your limit', 'keep your streak', 'of 112 silver', 'Reward for winning', 'At table 917'],
  '/shop': ['1000', 'Pay by card', '80 gold taken back', '220 gold short'],
  '/games': ['1st', 'Record', 'Desert'],
  '/notifications': ['2 unread', 'Ben wants to be your friend', 'Open to you now: Tundra', 'table 916 couldn’t be finished', SAID],
  '/friends': ['Friend requests', 'Noor', 'Requests you sent', 'muted, blocked', 'Your page'],
  '/clubs': ['Your clubs', 'Owner · 12 members', 'Asks to join · 1 member', 'Anyone can join', 'WWWW', 'first make your guest account'],
  '/clubs/7': ['Night Owls', 'Every evening at nine', 'The owner accepts new members', 'Accept', 'Make owner', '8000', 'Change the club', 'Tables of the club', 'Sit down', 'stake 20', 'Who has time tonight?', 'Older messages'],
  '/invites': ['5F0C6CF2', '1 of up to 50', 'People you invited', 'on the way', 'Only registered players'],
  '/account': ['Guest on this device', 'Turn this guest into an account', 'Linked accounts', 'Continue with Google', '12 today', '€4.99 today', '120 minutes of play per day', '20 days of vacation left'],
};
const RICH_PAGES = {
  '/profile': ['1,234,567', 'Highest level'],
  '/players/57': ['WWWW', '1,234,567'],
  '/wallet': ['1,234,567', 'wouldn’t fit in your purse'],
  '/friends': ['Friend requests', 'Unblock'],
  '/notifications': ['50+ unread', 'Show older'],
};
const NEW_PAGES = {
  '/wallet': ['Nothing here yet'],
  '/games': ['You haven’t finished a game yet'],
  '/leagues': ['You join with your first game', 'None of your seasons'],
  '/tournaments': ['No tournaments here just now'],
  '/leaderboards': ['Nobody is on this board yet'],
  '/profile': ['No finished games yet'],
  '/shop': ['Nothing ordered yet', '1000', 'Not for sale here'],
  '/notifications': ['all caught up', 'Nothing yet'],
  '/friends': ['No friends yet'],
  '/clubs': ['You aren’t in any club yet', 'There are no clubs yet'],
  '/invites': ['5F0C6CF2', 'Nobody yet'],
  '/nosuch': ['There’s nothing at this address', 'Go to the lobby'],
};

/** Every page at every width; at the narrowest with the longest names and with nothing at all, too. */
async function looks(browser, origin) {
  const of = async (name, options, site, answers, pages, about = '') => {
    site.begin(answers);
    await site.goto('/nosuch');
    for (const [path, words] of Object.entries(pages))
      await test(`${path}${about} on ${name}`, async () => {
        await site.shows(path, words);
        await site.shot(`${name.split(' ').at(-1)}${about.replaceAll(' ', '-')}${path.replaceAll('/', '-')}`);
        if (options.isMobile) equal(await site.small(), [], 'too small for a finger');
        site.clean();
      });
  };
  for (const [name, options] of Object.entries(short(SIZES, 'a phone of 360', 'a laptop of 1366'))) {
    const site = await new Site().open(browser, origin, options);
    await of(name, options, site, ANSWERS, PAGES);
    if (options === PHONE) await of(name, options, site, RICH, RICH_PAGES, ' of a rich player');
    if (options === PHONE) await of(name, options, site, NEW, NEW_PAGES, ' of a new player');
    await site.context.close();
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
      await counted(page.locator('tr.own'), 1, 'own lines');
      await page.getByRole('button', { name: 'My friends' }).click();
      await page.getByRole('button', { name: 'Show more' }).click();
      await page.getByText('Player 60').waitFor();
      await counted(page.locator('tbody tr'), 2, 'friends on two pages');
      equal(await page.getByRole('button', { name: 'Show more' }).count(), 0, 'a way on at the end');
    }));
  await test('the main button stays what it is under the pointer', () =>
    opened(browser, origin, '/shop', async (page) => {
      const button = page.getByRole('button', { name: /^Pay by card/ }).first();
      const painted = () => button.evaluate((el) => Promise.all(el.getAnimations().map((one) => one.finished)).then(() => getComputedStyle(el).backgroundImage));
      const before = await painted();
      await button.hover();
      equal(await painted(), before, 'its ground');
    }));
  await test('bots that players write have boards of their own', () =>
    opened(browser, origin, '/leaderboards', async (page) => {
      await page.getByLabel('By').selectOption('bot_wins');
      await page.getByText('Robin').waitFor();
      await page.getByText('where every seat belongs to a different person').waitFor();
      equal(await page.getByRole('button', { name: 'Around me' }).count(), 0, 'a neighbourhood of one who is no bot');
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
    const older = { items: [{ ...ANSWERS['/v1/wallet/postings'].items[0], id: '2', cause: 'welcome', table_id: null }], next: null };
    const postings = (request) => {
      if (tries++ === 0) return AWAY;
      return request.url().includes('cursor=p2') ? older : ANSWERS['/v1/wallet/postings'];
    };
    await opened(
      browser,
      origin,
      '/wallet',
      async (page, site) => {
        await page.getByRole('alert').getByText('having trouble').waitFor();
        await site.shot('laptop-wrong-wallet');
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByText('Reward for winning').waitFor();
        await counted(page.getByRole('alert'), 0, 'what is still wrong');
        await page.getByRole('button', { name: 'Show older' }).click();
        await page.getByText('Welcome chips').waitFor();
        await counted(page.getByText('Reward for winning'), 1, 'the first page stays');
        await counted(page.getByRole('button', { name: 'Show older' }), 0, 'a way on at the end');
      },
      { more: { '/v1/wallet/postings': postings } },
    );
  });
}

/** What was not to be had is asked for again by a button; an empty list of games leads to them. */
async function waysOn(browser, origin) {
  const asked = { '/profile': '/v1/players/42', '/players/57': '/v1/players/57', '/daily': '/v1/daily-deals', '/leagues': '/v1/leagues' };
  for (const [path, address] of Object.entries(asked))
    await test(`${path} says what went wrong, and is tried again`, async () => {
      let away = true;
      const answer = () => (away ? AWAY : ANSWERS[address]);
      const work = async (page) => {
        const alert = page.locator('main').getByRole('alert').filter({ hasText: 'having trouble' });
        await alert.waitFor();
        away = false;
        await page.locator('main').getByRole('button', { name: 'Try again' }).first().click();
        await alert.waitFor({ state: 'detached' });
      };
      await opened(browser, origin, path, work, { more: { [address]: answer } });
    });
  for (const path of ['/games', '/leaderboards', '/profile'])
    await test(`${path} leads whoever has no games to the lobby`, () =>
      opened(
        browser,
        origin,
        path,
        async (page) => {
          await page.locator('main td').getByRole('link', { name: 'Go to the lobby' }).click();
          await page.getByRole('heading', { name: 'Lobby' }).waitFor();
        },
        { more: NEW },
      ));
}

/** Beside the moves of a replay the board is narrower than the window. */
async function beside(browser, origin) {
  await test('a replay on a laptop of 1280 keeps every seat whole on the carpet, under no meld', () =>
    opened(
      browser,
      origin,
      views().replay.path,
      async (page) => {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.locator('.board [data-meld]').first().waitFor();
        const off = () =>
          page.evaluate(() => {
            const board = document.querySelector('.board').getBoundingClientRect();
            const melds = [...document.querySelectorAll('.board [data-meld]')].map((el) => el.getBoundingClientRect());
            const over = (r) => melds.some((m) => m.x < r.right && r.x < m.right && m.y < r.bottom && r.y < m.bottom);
            const bad = (r) => r.x < board.x || r.right > board.right || over(r);
            return [...document.querySelectorAll('.board [data-seat]')].filter((el) => bad(el.getBoundingClientRect())).map((el) => el.innerText);
          });
        await until(async () => (await off()).length === 0, 'seats over the edge or under melds', 3000);
        await page.setViewportSize({ width: 1366, height: 768 });
      },
      { more: views().replay.answers },
    ));
}

/** Nothing is asked twice by one page, and what is not there says where to go on. */
async function visits(browser, origin) {
  for (const path of [...Object.keys(PAGES), '/games/31', '/players/999'])
    await test(`${path} fetches each thing once`, () =>
      opened(browser, origin, '/icon.svg', async (page, site) => {
        const asked = [];
        const note = (request) => request.method() === 'GET' && request.url().includes('/v1/') && asked.push(new URL(request.url()).pathname);
        page.on('request', note);
        await site.goto(path);
        await page.waitForLoadState('networkidle');
        page.off('request', note);
        check(asked.length > 0, 'nothing was asked');
        equal(asked.filter((a, i) => asked.indexOf(a) !== i), [], 'what was asked twice');
      }));
  for (const [path, way] of [['/games/999', '/games'], ['/players/999', '/'], ['/nosuch', '/']])
    await test(`${path} is not there, and shows a way on`, () =>
      opened(browser, origin, path, async (page) => {
        await page.locator('main .btn').click();
        await page.waitForURL(`**${way}`);
      }));
}

async function told(browser, origin) {
  await test('a notification arrives: a number at the bell, the words for a moment, and the purse', async () => {
    let gold = 20;
    await opened(
      browser,
      origin,
      '/wallet',
      async (page, site) => {
        await page.locator('.bell [data-unread="2"]').waitFor();
        await until(() => site.lobbies.length === 1, 'no lobby socket');
        gold = 35;
        site.tell(notice(813, 'level', { level: 7, title: 'Frog', gold: 15, rooms: [] }));
        await page.locator('.bell [data-unread="3"]').waitFor();
        await site.shot('laptop-news');
        site.tell(notice(813, 'level', { level: 7, title: 'Frog', gold: 15, rooms: [] }));
        await page.locator('[data-purse=gold]').getByText('35').waitFor();
        await page.locator('[data-news=level]').click();
        await page.waitForURL('**/profile');
        await page.locator('[data-news]').waitFor({ state: 'detached' });
        await page.getByRole('link', { name: 'Notifications, 3 unread' }).click();
        await page.getByText('You reached level 7').waitFor();
        await counted(page.locator('tr.unread'), 3, 'lines that are new');
        equal(site.lobbies.length, 1, 'sockets over three pages');
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
        await page.getByRole('alert').getByText('having trouble').waitFor();
        await counted(page.locator('tr.unread'), 2, 'lines that are new after a refusal');
        await page.getByRole('button', { name: 'Mark all as read' }).click();
        await page.getByText('all caught up').waitFor();
        await counted(page.locator('.bell .badge'), 0, 'numbers at the bell');
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
      async (page, site) => {
        await page.locator('.bell [data-unread="2"]').waitFor();
        await until(() => site.lobbies.length === 1, 'no lobby socket');
        items = [notice(820, 'invite', { nickname: 'Ben', gold: 30 }), ...items];
        await site.lobbies[0].close({ code: 4001 });
        await page.locator('.bell [data-unread="3"]').waitFor();
      },
      { more: { '/v1/notifications': () => ({ items, next: null }) } },
    );
  });
}

/** What is checked and pictured everywhere leaves no page out. */
async function whole() {
  await test('the views of the gallery are of every page that has an address', async () => {
    const source = await readFile(new URL('../../web/src/lib/addresses.ts', import.meta.url), 'utf8');
    const [, plain] = /const PLAIN = \[(.*?)\]/s.exec(source);
    const [, about] = /const ABOUT = \{(.*?)\n\}/s.exec(source);
    const names = [...[...plain.matchAll(/'([\w-]+)'/g)], ...about.matchAll(/^ {2}(\w+):/gm)].map(([, name]) => name);
    check(names.length > 25, `only ${names}`);
    const shown = new Set(Object.values(views()).map(({ path }) => path.split(/[/?#]/)[1]));
    equal(names.filter((name) => !shown.has(name) && name !== 'table'), [], 'pages without a view'); // a table has its moments
  });
}

export async function pagesTests(browser, origin) {
  await whole();
  await looks(browser, origin);
  await lists(browser, origin);
  await waysOn(browser, origin);
  await beside(browser, origin);
  await told(browser, origin);
  await visits(browser, origin);
}
