/* Every page around the tables, each with its address and mocked responses: for checks that hold on all of
 * them, and for screenshots. */
import { ANSWERS, at, NEW, order, RICH } from './answers.mjs';
import { simulated } from './games.mjs';
import { DISCARD, tried } from './puzzles.mjs';
import { AWAY, NEVER } from './site.mjs';
import { ROOMS } from './stage.mjs';

/** Of a player. */
export const PAGES =
  `/ /daily /puzzles /tournaments /tournaments/12 /tournaments/13 /tournaments/15 /tournaments/16 /tournaments/17 /tournaments/18 /tournaments/19 /leaderboards /leagues /profile /players/57 /wallet /shop /games /games/31 /week /notifications
  /friends /clubs /clubs/7 /invites /account /nosuch`.split(/\s+/);
/** Responses to a visitor without a session. */
export const STRANGERS = ['/', '/forgot', '/reset', '/sign-in', '/nosuch'];

const LINK_GONE = { code: 'link_invalid', status: 410, title: 'This link has expired.' };
const TOKEN = '0123456789abcdef'.repeat(4);
const MAILED = {
  '/v1/auth/verify-email': LINK_GONE,
  '/v1/auth/undo': LINK_GONE,
  '/v1/auth/unlock': LINK_GONE,
};
const INVITED = {
  ...{
    state: 'waiting',
    variant: 'straight',
    options: { target: 100 },
    seats: 4,
    people: 1,
    bots: 1,
    free: 3,
    stake: 0,
    turn_hours: 24,
  },
  host: { nickname: 'Noor', avatar: 'owl' },
  players: [{ nickname: 'Noor', avatar: 'owl' }],
};
const LINK = '/v1/tables/by-code/AB3D9K/link';
const BY = '/v1/invites/5F0C6CF2';
const INVITER = { host: INVITED.host, invited_gold: 10 };
const players = [
  INVITED.host,
  ...['Karim', 'Ida', 'Yusuf'].map((nickname) => ({ nickname, avatar: 'palm' })),
];
/** States of a join link. */
const JOINS = {
  full: { ...INVITED, people: 4, bots: 0, free: 0, players },
  over: { ...INVITED, state: 'over', people: 0, bots: 0, free: 0, players: [] },
  club: { code: 'not_club_member', status: 403, title: 'Only club members can do that.' },
  gone: { code: 'no_such_table', status: 404, title: "This table doesn't exist." },
};
const target = { name: 'target', least: 50, greatest: 500, default: 150, default_word: null, values: null };
const ace = {
  name: 'ace',
  least: 0,
  greatest: 1,
  default: null,
  default_word: 'low',
  values: ['low', 'high'],
};
const VARIANTS = {
  items: [
    ...ANSWERS['/v1/variants'].items,
    { id: 'straight', seats_min: 2, seats_max: 4, options: [ace, target] },
  ],
};

/** A game played by bots, in the server's format. */
function played(record) {
  const [, commit] = /\[Commit "(\w+)"\]/.exec(record);
  const [, server_seed] = /\[ServerSeed "(\w+)"\]/.exec(record);
  const of = (n) => ({ table_id: '0', hand_no: n, commit, server_seed, client_seeds: ['', '', '', ''] });
  const lines = [...record.matchAll(/^score (\d) place (\d) points (-?\d+) cards (\d+)/gm)].map(
    ([, ...numbers]) => numbers.map(Number),
  );
  const results = lines.map(([seat, place, points, cards_left]) => ({
    ...{
      seat,
      place,
      points,
      cards_left,
      player_id: seat === 0 ? '42' : null,
      nickname: ['Mia', 'Karim', 'Ida', 'Yusuf'][seat],
    },
    ...{
      avatar: seat === 0 ? 'fennec' : 'owl',
      bot: seat !== 0,
      game_points: 100 - points,
      opened: true,
      rummy: false,
      left: false,
    },
    ...{ turns: 9, own_turns: seat === 0 ? 9 : 0, took_part: true, same_people: false },
    ...{ clover: seat === 0 ? 100 : 0, silver: seat === 0 ? 10 : null, gold: null, silver_lost: null },
  }));
  const scores = lines.map(([seat, place, points]) => ({ seat, points, total: points, place }));
  return {
    ...{
      id: '31',
      table_id: '0',
      variant: 'rummy51',
      room: 'desert',
      started_at: at(-2.1),
      ended_at: at(-2),
      ending: 'out',
    },
    ...{
      rated: true,
      practice: false,
      results,
      fairness: of(1),
      hands: [{ ...of(1), ending: 'out', scores }],
    },
  };
}

/** Waits until nothing is loading. */
export async function quiet(page, loading) {
  await page.locator('main, .table-bar, .bar').first().waitFor();
  if (loading) await page.waitForTimeout(300);
  else await page.waitForLoadState('networkidle');
  if (!loading)
    await page.waitForFunction(() => !document.querySelector('main [role=status].dim, p.pad[role=status]'));
}

const press = (selector, then) => async (page) => {
  await page.locator(selector).first().click();
  await page.locator(then).first().waitFor();
};
/** The panel is next to the table, or in a dialog on small screens. */
async function analyse(page) {
  const opener = page.locator('.bar .list').first();
  if (await opener.isVisible()) await opener.click();
  await page.locator('.analysis .btn.primary:visible').click();
  await page.locator('.analysis table:visible').waitFor();
}
const DIALOG = '[role=dialog]';
const MENU = '[role=menu]';
const HAND = '.hand [data-card]';

/** Responses except the player and the purse, which the header shows everywhere. */
const instead = (answer) => ({
  ...Object.fromEntries(Object.keys(ANSWERS).map((path) => [path, answer])),
  '/v1/me': ANSWERS['/v1/me'],
  '/v1/wallet': ANSWERS['/v1/wallet'],
});

const ordinary = { ...ANSWERS, '/v1/rooms': { items: ROOMS }, '/v1/variants': VARIANTS };
const named = (prefix, paths, view) =>
  paths.map((path) => [
    `${prefix}${path === '/' ? (view.stranger ? '/entrance' : '/lobby') : path}`.replaceAll('/', '-'),
    { path, ...view },
  ]);

/** Name → { path, answers, stranger, make }. `make` performs the steps that lead to the view; in `loading`
 * views the responses never arrive. Every page with an address is included. */
export function views() {
  const record = simulated('rummy51', 4, 7);
  const replay = { ...ANSWERS, '/v1/games/31': played(record), '/v1/games/31/record': record };
  const lists = [
    '/wallet',
    '/games',
    '/week',
    '/leagues',
    '/leaderboards',
    '/profile',
    '/shop',
    '/notifications',
    '/friends',
    '/clubs',
    '/invites',
  ];
  const of = (path, answers, make) => ({ path, answers, make });
  return Object.fromEntries([
    ...named(
      'page',
      PAGES.filter((path) => path !== '/games/31'),
      { answers: ordinary },
    ),
    ...named('stranger', STRANGERS, { answers: ANSWERS, stranger: true }),
    ...named('stranger', ['/verify', '/undo', '/unlock'], { answers: MAILED, stranger: true }).map(
      ([name, view]) => [name, { ...view, path: `${view.path}#${TOKEN}` }],
    ),
    ...named('stranger', ['/invite/5F0C6CF2', '/join/AB3D9K', '/friends', '/leaderboards'], {
      answers: { ...ANSWERS, [LINK]: INVITED, [BY]: INVITER },
      stranger: true,
    }),
    ...Object.entries(JOINS).map(([name, answer]) => [
      `stranger-join-${name}`,
      { path: '/join/AB3D9K', answers: { ...ANSWERS, [LINK]: answer }, stranger: true },
    ]),
    ...named('page', ['/join/AB3D9K', '/invite/5F0C6CF2'], {
      answers: {
        ...ordinary,
        '/v1/tables/by-code/AB3D9K/invitation': { ...INVITED, seated: false },
        [BY]: INVITER,
      },
    }),
    ...named('rich', ['/profile', '/players/57', '/wallet', '/friends', '/notifications'], { answers: RICH }),
    ...named('new', [...lists, '/tournaments'], { answers: NEW }),
    ...named('wrong', ['/', ...lists], { answers: instead(AWAY) }),
    ...named('loading', ['/', ...lists], { answers: instead(NEVER), loading: true }),
    ...named('gone', ['/games/999', '/players/999'], { answers: ANSWERS }),
    ...named('offline', ['/'], { answers: null }),
    ...named(
      'alone',
      [
        '/learn',
        '/learn/points',
        '/lessons/rummy51/jokers',
        '/lessons',
        '/lessons/points',
        '/practice',
        '/rules',
        '/rules/rummy51',
        '/rules/pool101',
        '/replay',
      ],
      { answers: null },
    ),
    ['page-games-31', of('/games/31', replay)],
    ['puzzle', of('/puzzles/31', ordinary)],
    [
      'puzzle-answered',
      of('/puzzles/31', { ...ordinary, '/v1/puzzles/31': { ...DISCARD, mine: tried('KD') } }),
    ],
    ['dialog-table', of('/', ordinary, press('[aria-labelledby=own-table] [data-open]', '.variants'))],
    ['ghost', of('/games/31/play?seat=1', replay)],
    ['replay', of('/games/31/replay?turn=24', replay)],
    ['replay-analysis', of('/games/31/replay?turn=24', replay, analyse)],
    ['replay-embed', of('/embed/31?turn=24', replay)],
    ['replay-check', of('/games/31/replay', replay, press('.bar .seal', DIALOG))],
    ['replay-share', of('/games/31/replay', replay, press('.bar > .btn:last-child', DIALOG))],
    ['practice-game', of('/practice', null, press('.btn.primary', HAND))],
    ['menu-player', of('/wallet', ANSWERS, press('header.top [data-dropdown-menu-trigger]', MENU))],
    ['dialog-profile', of('/account', ANSWERS, press('main .btn.small', DIALOG))],
    [
      'shop-order',
      of('/shop', {
        ...ANSWERS,
        '/v1/shop/orders': {
          items: [order('paid'), order('pending', { id: '40', pay_url: 'https://pay.example/40' })],
          next: null,
        },
      }),
    ],
  ]);
}
