/* The pages around the table with mocked responses, without a server: paginated lists, errors and retries,
 * and live notifications. E2E_SHOTS is the folder for screenshots. */
import { readFile } from 'node:fs/promises';
import { ANSWERS, NEW, notice } from '../lib/answers.mjs';
import { check, counted, equal, until } from '../lib/harness.mjs';
import { test } from '../lib/screens.mjs';
import { AWAY, opened } from '../lib/site.mjs';
import { views } from '../lib/views.mjs';

function lists() {
  test('another leaderboard is chosen, then the player’s neighborhood, and friends page by page', () =>
    opened('/leaderboards', async (page) => {
      await page.getByText('Player 1').waitFor();
      await page.getByLabel('By').selectOption('wins');
      await page.getByText('No one is on this leaderboard yet').waitFor();
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
  test('the main button keeps its color under the pointer', () =>
    opened('/shop', async (page) => {
      const button = page.getByRole('button', { name: /^Pay by card/ }).first();
      const painted = () =>
        button.evaluate((el) =>
          Promise.all(el.getAnimations().map((one) => one.finished)).then(
            () => getComputedStyle(el).backgroundImage,
          ),
        );
      const before = await painted();
      await button.hover();
      equal(await painted(), before, 'its ground');
    }));
  test('player-written bots have their own leaderboards', () =>
    opened('/leaderboards', async (page) => {
      await page.getByLabel('By').selectOption('bot_wins');
      await page.getByText('Robin').waitFor();
      await page.getByText('where every seat belongs to a different person').waitFor();
      equal(
        await page.getByRole('button', { name: 'Around me' }).count(),
        0,
        '"Around me" for a human player',
      );
    }));
  test('another league is chosen, and a player of its table is opened', () =>
    opened('/leagues', async (page) => {
      await page.getByText('Player 1').waitFor();
      check(
        (await page.locator('tr.unranked').innerText()).startsWith('–'),
        'one without enough games has no place',
      );
      await page.getByRole('button', { name: 'Desert' }).click();
      await page.getByText('No one has played in this league yet').waitFor();
      await page.getByRole('button', { name: 'Tundra' }).click();
      await page.getByText('Player 1').click();
      await page.waitForURL('**/players/41');
      await page.getByRole('heading', { level: 1, name: 'Player 1' }).waitFor();
    }));
  test('a list shows an error, is retried, and continues', async () => {
    let tries = 0;
    const older = {
      items: [{ ...ANSWERS['/v1/wallet/postings'].items[0], id: '2', cause: 'welcome', table_id: null }],
      next: null,
    };
    const postings = (request) => {
      if (tries++ === 0) return AWAY;
      return request.url().includes('cursor=p2') ? older : ANSWERS['/v1/wallet/postings'];
    };
    await opened(
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

/** A failed list has a retry button; an empty list of games links to them. */
function waysOn() {
  const asked = {
    '/profile': '/v1/players/42',
    '/players/57': '/v1/players/57',
    '/daily': '/v1/daily-deals',
    '/leagues': '/v1/leagues',
  };
  for (const [path, address] of Object.entries(asked))
    test(`${path} shows an error, and is retried`, async () => {
      let away = true;
      const answer = () => (away ? AWAY : ANSWERS[address]);
      const work = async (page) => {
        const alert = page.locator('main').getByRole('alert').filter({ hasText: 'having trouble' });
        await alert.waitFor();
        away = false;
        await page.locator('main').getByRole('button', { name: 'Try again' }).first().click();
        await alert.waitFor({ state: 'detached' });
      };
      await opened(path, work, { more: { [address]: answer } });
    });
  test('a game whose deal others still play has no links that would be refused', () => {
    const [game, other] = ANSWERS['/v1/games'].items;
    const hidden = { items: [{ ...game, hidden: true }, other], next: null };
    return opened(
      '/games',
      async (page) => {
        await page.getByText('Others are still playing this deal.').waitFor();
        await counted(page.locator(`main a[href^="/games/${other.id}"]`), 3, 'links of the open game');
        await counted(page.locator(`main a[href^="/games/${game.id}"]`), 0, 'links of the hidden game');
      },
      { more: { '/v1/games': hidden } },
    );
  });
  for (const path of ['/games', '/leaderboards', '/profile'])
    test(`${path} leads whoever has no games to the lobby`, () =>
      opened(
        path,
        async (page) => {
          await page.locator('main td').getByRole('link', { name: 'Go to the lobby' }).click();
          await page.getByRole('heading', { name: 'Lobby' }).waitFor();
        },
        { more: NEW },
      ));
}

/** Next to the moves of a replay, the board is narrower than the window. */
function beside() {
  test('a replay on a laptop of 1280 keeps every seat whole on the carpet, under no meld', () =>
    opened(
      views().replay.path,
      async (page) => {
        await page.setViewportSize({ width: 1280, height: 800 });
        await page.locator('.board [data-meld]').first().waitFor();
        const off = () =>
          page.evaluate(() => {
            const board = document.querySelector('.board').getBoundingClientRect();
            const melds = [...document.querySelectorAll('.board [data-meld]')].map((el) =>
              el.getBoundingClientRect(),
            );
            const over = (r) =>
              melds.some((m) => m.x < r.right && r.x < m.right && m.y < r.bottom && r.y < m.bottom);
            const bad = (r) => r.x < board.x || r.right > board.right || over(r);
            return [...document.querySelectorAll('.board [data-seat]')]
              .filter((el) => bad(el.getBoundingClientRect()))
              .map((el) => el.innerText);
          });
        await until(async () => (await off()).length === 0, 'seats over the edge or under melds', 3000);
        await page.setViewportSize({ width: 1366, height: 768 });
      },
      { more: views().replay.answers },
    ));
}

/** A missing item offers a way to continue. */
function visits() {
  for (const [path, way] of [
    ['/games/999', '/games'],
    ['/players/999', '/'],
    ['/nosuch', '/'],
  ])
    test(`${path} is not there, and shows a way on`, () =>
      opened(path, async (page) => {
        await page.locator('main .btn').click();
        await page.waitForURL(`**${way}`);
      }));
}

function told() {
  test('a notification arrives: a number at the bell, the words for a moment, and the purse', async () => {
    let gold = 20;
    await opened(
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
  test('whose rewards are withheld reads why in place of the bonus, and the way out', () =>
    opened(
      '/wallet',
      async (page) => {
        await page.getByText('many new accounts came from your network').waitFor();
        await counted(page.getByRole('region', { name: 'Daily bonus' }), 0, 'bonuses');
        await page.getByRole('link', { name: 'Turn this guest into an account' }).click();
        await page.waitForURL('**/account');
      },
      { more: { '/v1/me': { ...ANSWERS['/v1/me'], rewards_withheld: true } } },
    ));
  test('notifications are marked as read, and a refusal is shown', async () => {
    const asked = [];
    await opened(
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
      {
        more: {
          '/v1/notifications/read-mark': (request) =>
            asked.push(request.postDataJSON()) === 1 ? AWAY : { unread: 0 },
        },
      },
    );
  });
  test('after a lost connection the missed notifications are fetched', async () => {
    let items = ANSWERS['/v1/notifications'].items;
    await opened(
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

/** Print and forced colors hide the scenery behind the text. */
function media() {
  const brightness = (color) => {
    const [r, g, b] = color.match(/\d+(\.\d+)?/g).map(Number);
    return (r + g + b) / (3 * 255);
  };
  const style = (locator, name) => locator.evaluate((el, name) => getComputedStyle(el)[name], name);
  test('with reduced motion, a changed style shows at once', () =>
    opened('/rules/pool101', async (page) => {
      const color = await page.locator('h1').evaluate((h1) => {
        h1.style.color = 'rgb(1, 2, 3)';
        const { color } = getComputedStyle(h1);
        h1.style.color = '';
        return color;
      });
      equal(color, 'rgb(1, 2, 3)', 'the color');
    }));
  test('pages print dark on white, without controls', () =>
    opened('/rules/pool101', async (page) => {
      await page.locator('h1').waitFor();
      await page.emulateMedia({ media: 'print' });
      for (const text of ['h1', 'main p', 'main li'])
        check(brightness(await style(page.locator(text).first(), 'color')) < 0.35, `${text} is too light`);
      equal(brightness(await style(page.locator('body'), 'backgroundColor')), 1, 'the paper');
      await counted(
        page.locator('.sky:visible, header:visible, button:visible, .btn:visible'),
        0,
        'things to press',
      );
      await page.emulateMedia({ media: 'screen' });
    }));
  test('a score sheet for real cards is printed alone, one column for each player', () =>
    opened('/rules/pool101', async (page) => {
      await page.getByRole('link', { name: 'Score sheet' }).click();
      await page.waitForURL('**/rules/pool101/score-sheet');
      await page.locator('[data-sheet] h1').getByText('Score sheet: Pool 101').waitFor();
      await page.emulateMedia({ media: 'print' });
      await page.setViewportSize({ width: 718, height: 1047 }); // A4 paper without its margins
      await counted(page.locator('[data-sheet] .name'), 6, 'players');
      await counted(page.locator('[data-sheet] tbody tr'), 14, 'hands');
      const { bottom, wide } = await page.evaluate(() => ({
        bottom: document.querySelector('[data-sheet]').getBoundingClientRect().bottom,
        wide: document.documentElement.scrollWidth,
      }));
      check(bottom < 1047 && wide <= 718, `the sheet is ${wide} px wide and ends at ${bottom}`);
      check(brightness(await style(page.locator('[data-sheet] th').first(), 'color')) < 0.35, 'too light');
      await counted(page.locator('.rulebook:visible, button:visible, .btn:visible'), 0, 'anything else');
      if (process.env.E2E_SHOTS) await page.screenshot({ path: `${process.env.E2E_SHOTS}/score-sheet.png` });
      await page.emulateMedia({ media: 'screen' });
      await page.setViewportSize({ width: 1366, height: 768 });
      await page.getByRole('link', { name: 'Rules', exact: true }).click();
      await page.locator('.rulebook').waitFor();
    }));
  test('forced colors hide the scenery and outline the selection', () =>
    opened('/leaderboards', async (page) => {
      await page.emulateMedia({ forcedColors: 'active' });
      await page.getByRole('button', { name: 'Around me' }).click();
      await counted(page.locator('.sky:visible'), 0, 'skies');
      const chosen = page.locator('[aria-pressed="true"]').first();
      equal(await style(chosen, 'outlineStyle'), 'solid', 'the outline of what is chosen');
      equal(
        await style(page.locator('[aria-pressed="false"]').first(), 'outlineStyle'),
        'none',
        'that of others',
      );
      await page.emulateMedia({ forcedColors: 'none' });
    }));
}

/** The checks and screenshots for all pages really cover all of them. */
function whole() {
  test('the views of the gallery are of every page that has an address', async () => {
    const source = await readFile(new URL('../../../web/src/lib/pages-known.ts', import.meta.url), 'utf8');
    const [, plain] = /const PLAIN = \[(.*?)\]/s.exec(source);
    const [, about] = /const ABOUT = \{(.*?)\n\}/s.exec(source);
    const names = [...[...plain.matchAll(/'([\w-]+)'/g)], ...about.matchAll(/^ {2}(\w+):/gm)].map(
      ([, name]) => name,
    );
    check(names.length > 25, `only ${names}`);
    const shown = new Set(Object.values(views()).map(({ path }) => path.split(/[/?#]/)[1]));
    equal(
      names.filter((name) => !shown.has(name) && name !== 'table'),
      [],
      'pages without a view',
    ); // moments cover the table
  });
}

media();
whole();
lists();
waysOn();
beside();
told();
visits();
