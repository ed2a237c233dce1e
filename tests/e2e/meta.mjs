/* The pages of the game around the games (ranks, leagues, profile, wallet, shop): the built page on fixed answers,
 * no server behind it, at the width of a phone and of a laptop. */
import { openPage } from './lib/browser.mjs';
import { check, equal, test } from './lib/harness.mjs';
import { ME } from './lib/stage.mjs';

const SIZES = { 'a phone of 360': { width: 360, height: 740 }, 'a laptop of 1366': { width: 1366, height: 768 } };
const at = (hours) => new Date(Date.now() + hours * 3_600_000).toISOString();

const WALLET = {
  silver: 96,
  gold: 20,
  silver_cap: 112,
  holds: [],
  bonus: { streak: 3, played_today: false, today_amount: 50, today_lost: 30, tomorrow_amount: 40, tomorrow_at: at(9) },
};
const line = (place, extra = {}) => ({
  place,
  player_id: String(40 + place),
  nickname: `Player ${place}`,
  avatar: 'owl',
  title: 'Frog',
  games: 40 - place,
  own: place === 2,
  ...extra,
});
const LEAGUES = {
  season: { number: 3, starts_at: at(-48), ends_at: at(51), closing: false, games_min: 30 },
  own: { league: 'tundra', games: 12, wins: 3, rating: 6800, place: 2 },
  items: ['desert', 'tundra', 'forest'].map((id) => ({
    id,
    name: id[0].toUpperCase() + id.slice(1),
    open: id !== 'forest',
    room: id,
    promote_rating: id === 'forest' ? null : 7000,
    promote_places: null,
    relegate_rating: id === 'tundra' ? 6200 : null,
    relegate_places: null,
    prizes: [100, 60, 40, 20, 20],
  })),
};
const SAID = 'Rating 6800 reaches the 6700 for promotion to the Tundra league.';
const PLAYER = {
  id: '42',
  nickname: 'Mia',
  avatar: 'fennec',
  kind: 'guest',
  level: 3,
  title: 'Butterfly',
  clover_points: 341,
  created_at: at(-900),
  league: 'tundra',
  achievements: ['first_game'],
  streak_days: 3,
  variants: [
    {
      variant: 'rummy51',
      games: 21,
      rated: 20,
      wins: 7,
      opened: 18,
      rummies: 1,
      places: [7, 6, 5, 3, 0, 0],
      points_average: 78.7,
      win_streak: 1,
      win_streak_best: 3,
      rating: 7870,
    },
  ],
  last_games: [
    { id: '31', variant: 'rummy51', room: 'desert', ended_at: at(-2), place: 1, won: true, rated: true, record: '/v1/games/31/record' },
  ],
};
const ACHIEVEMENTS = [
  { id: 'wins_10', about: 'Win 10 games against people', gold: 20, goal: 10, progress: 7, earned_at: null },
  { id: 'first_game', about: 'Finish a game', gold: 5, goal: 1, progress: 1, earned_at: at(-100) },
];
const order = (state, extra = {}) => ({
  id: '41',
  state,
  pack: 'gold_300',
  gold: 300,
  amount: 499,
  currency: 'eur',
  provider: 'stripe',
  pay_url: null,
  created_at: at(-1),
  expires_at: at(1),
  paid_at: null,
  refunded: 0,
  gold_back: 0,
  gold_short: 0,
  why: null,
  ...extra,
});
const PACKS = {
  items: [100, 300, 1000].map((gold) => ({ id: `gold_${gold}`, name: `${gold} gold`, gold, amount: gold + 99, currency: 'eur' })),
  providers: ['stripe'],
};

const ANSWERS = {
  '/v1/me': ME,
  '/v1/wallet': WALLET,
  '/v1/wallet/postings': { items: [], next: null },
  '/v1/rooms': { items: [] },
  '/v1/variants': { items: [{ id: 'rummy51', name: 'Rummy 51', text: '', seats_min: 2, seats_max: 4, options: [] }] },
  '/v1/leagues': LEAGUES,
  '/v1/leagues/tundra': {
    league: 'tundra',
    season: 3,
    items: [1, 2, 3].map((i) => line(i, { wins: 3, rating: 7100 - i, ranked: i < 3 })),
    next: null,
  },
  '/v1/leagues/desert': { league: 'desert', season: 3, items: [], next: null },
  '/v1/me/seasons': {
    items: [
      { season: 2, ended_at: at(-48), league: 'desert', place: 1, games: 40, rating: 6800, to_league: 'tundra', reason: 'promoted', said: SAID, prize_gold: 50 },
    ],
    next: null,
  },
  '/v1/leaderboards/rummy51/rating/month': {
    variant: 'rummy51',
    board: 'rating',
    period: 'month',
    items: [1, 2, 3].map((i) => line(i, { value: 8000 - i })),
    next: 'c1',
  },
  '/v1/leaderboards/rummy51/wins/all/around': { place: 2, items: [line(2, { value: 9 })] },
  '/v1/leaderboards/rummy51/wins/all': { variant: 'rummy51', board: 'wins', period: 'all', items: [], next: null },
  '/v1/leaderboards/rummy51/wins/month': { variant: 'rummy51', board: 'wins', period: 'month', items: [], next: null },
  '/v1/players/42': PLAYER,
  '/v1/players/57': { ...PLAYER, id: '57', nickname: 'Ben' },
  '/v1/me/achievements': { items: ACHIEVEMENTS },
  '/v1/shop/packs': PACKS,
  '/v1/shop/orders': { items: [order('charged_back', { gold_back: 80, gold_short: 220 })], next: null },
};

/** Opens an address on these answers; `more` replaces some of them, by value or function of the request. */
async function opened(browser, origin, path, work, { viewport = SIZES['a laptop of 1366'], more = {} } = {}) {
  const { context, page, errors } = await openPage(browser, { viewport });
  const session = { access: 'a', renewAt: Date.now() + 1e9, refresh: 'r' };
  await page.addInitScript((s) => localStorage.setItem('rummyd:session', JSON.stringify(s)), session);
  await page.route('**/v1/**', (route) => {
    const answers = { ...ANSWERS, ...more };
    const found = answers[new URL(route.request().url()).pathname];
    const json = typeof found === 'function' ? found(route.request()) : found;
    if (json?.code) return route.fulfill({ status: json.status, json });
    return json ? route.fulfill({ json }) : route.fulfill({ status: 404, json: { code: 'not_found', title: 'Not found', status: 404 } });
  });
  await page.goto(origin + path);
  await work(page);
  equal(errors, [], 'errors of the page');
  await context.close();
}

const text = (page, selector) => page.locator(selector).innerText();

async function seen(page, words) {
  for (const word of words) await page.getByText(word, { exact: false }).first().waitFor({ timeout: 10_000 });
  equal(await page.locator('[role=alert]').allInnerTexts(), [], 'what went wrong');
  const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
  check(over <= 0, `the page is ${over} px too wide`);
}

const PAGES = {
  '/leaderboards': ['Player 1', 'Player 3', '7999', 'listed from 20'],
  '/leagues': ['Season 3', 'ends in 2 days 3 h', 'a rating below 6200', 'Player 2', SAID, '1: 100'],
  '/profile': ['Butterfly, level 3', '91 of 200', '7870', '7 of 10', 'Finish a game', '78.7'],
  '/players/57': ['Ben', 'First game', 'Last games', 'League: Tundra'],
  '/wallet': ['Daily bonus', '30 of it over the cap', 'go on with your streak', 'of 112 silver'],
  '/shop': ['1000', 'Pay by card', '80 gold taken back', '220 gold short'],
};

async function buying(browser, origin) {
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
      const button = page.locator('[data-pack=gold_300] button');
      await button.click();
      await page.getByText('cannot be reached').waitFor();
      await button.click();
      await page.waitForURL('**/leagues');
      equal(new Set(keys).size, 1, 'keys of a try and its repeat');
      equal(keys.length, 2, 'tries');
    },
    { more: { '/v1/shop/orders': create } },
  );
}

async function comingBack(browser, origin) {
  let looks = 0;
  const pending = { items: [order('pending', { pay_url: 'https://pay.example/' })], next: null };
  await opened(
    browser,
    origin,
    '/shop?paid=x',
    async (page) => {
      await page.getByText('300 gold are in your purse').waitFor({ timeout: 15_000 });
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
}

export async function metaTests(browser, origin) {
  for (const [size, viewport] of Object.entries(SIZES))
    for (const [path, words] of Object.entries(PAGES))
      await test(`${path} on ${size}`, () => opened(browser, origin, path, (page) => seen(page, words), { viewport }));
  await test('another board is chosen, and the own neighbourhood on it', () =>
    opened(browser, origin, '/leaderboards', async (page) => {
      await page.getByText('Player 1').waitFor();
      await page.getByLabel('By').selectOption('wins');
      await page.getByText('Nobody is on this board yet').waitFor();
      await page.getByLabel('Time').selectOption('all');
      await page.getByRole('button', { name: 'Around me' }).click();
      await page.getByText('Player 2').waitFor();
      equal(await page.locator('tr.own').count(), 1, 'own lines');
    }));
  await test('another league is chosen, and a player of a table looked at', () =>
    opened(browser, origin, '/leagues', async (page) => {
      await page.getByText('Player 1').waitFor();
      check((await text(page, 'tr.unranked')).startsWith('–'), 'one without enough games has no place');
      await page.getByRole('button', { name: 'Desert' }).click();
      await page.getByText('Nobody has played in this league yet').waitFor();
      await page.getByRole('button', { name: 'Tundra' }).click();
      await page.getByText('Player 1').click();
      await page.waitForURL('**/players/41');
    }));
  await test('a pack is bought; a try without an answer is repeated under its key', () => buying(browser, origin));
  await test('coming back from paying waits for the gold', () => comingBack(browser, origin));
  await test('without a provider the shop says that buying is off', () =>
    opened(
      browser,
      origin,
      '/shop',
      async (page) => {
        await page.locator('[data-shop=off]').waitFor();
        check(await page.locator('[data-pack=gold_100] button').isDisabled(), 'the button is off');
      },
      { more: { '/v1/shop/packs': { ...PACKS, providers: [] } } },
    ));
}
