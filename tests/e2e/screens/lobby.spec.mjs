/* The sign-in page and the lobby with mocked responses, without a server: the first screen, the bottom bar, and a
 * lobby without other players. E2E_SHOTS is the folder for screenshots. */
import { ANSWERS, NEW } from '../lib/answers.mjs';
import { keepValue } from '../lib/browser.mjs';
import { check, counted, equal } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { Site } from '../lib/site.mjs';
import { ROOMS } from '../lib/stage.mjs';
import { SHOWN } from '../lib/texts.mjs';

const PHONE = { width: 360, height: 740 };
const SIDEWAYS = { width: 844, height: 390 };
const LAPTOP = { width: 1366, height: 650 };
const LARGE = { width: 1920, height: 1080 };
const TARGET = 44;
/** A number zero that is not part of another number. */
const ZERO = /(?<![\d.,:])0(?![\d.,:])/;
const NO_ONE =
  /\bnobody\b|\bno one\b|none yet|niemand|a personne|personne n[e’]|aucun|किसी ने नहीं|कोई नहीं|\bniko\b|\bнико\b/i;

const NEWCOMER = { level: 1, title: 'Ant', level_points: 0, level_points_needed: 100, clover_points: 0 };
const deals = ANSWERS['/v1/daily-deals'];
const untouched = (deal) => ({ ...deal, own: null, entrants: 0 });
/** A new server without any games. */
const FRESH = {
  ...NEW,
  '/v1/me': { ...ANSWERS['/v1/me'], ...NEWCOMER, rating: { value: null, games: 0 } },
  '/v1/me/tables': { items: [] },
  '/v1/rooms': {
    items: ROOMS.map((room) => ({
      ...room,
      people: 0,
      tables: 0,
      unlocked: room.level_required === 1,
      why_locked: room.level_required === 1 ? null : 'room_locked',
    })),
  },
  '/v1/me/quests': {
    ...ANSWERS['/v1/me/quests'],
    items: ANSWERS['/v1/me/quests'].items.map((quest) => ({ ...quest, progress: 0, done_at: null })),
  },
  '/v1/daily-deals': {
    ...deals,
    streak_days: 0,
    items: deals.items.map((day) => ({ ...day, deals: day.deals.map(untouched) })),
  },
};
const NO_PLAYERS = { rooms: [], games: [], tables: [], online: 1, playing: 0 };

let site = null;

test.beforeAll(async () => {
  site = await new Site().open(here.browser, here.origin, { viewport: PHONE, hasTouch: true });
});
test.afterAll(async () => {
  site.clean();
  await site.context.close();
});

async function lobby(size, { language = 'en', picture = NO_PLAYERS } = {}) {
  const { page } = site;
  site.begin({ ...ANSWERS, ...FRESH });
  site.picture = picture;
  await keepValue(page, 'language', language);
  await page.setViewportSize(size);
  await site.goto('/');
  await page.locator('[data-play]').waitFor();
  await page.locator('#daily-today').waitFor();
  await page.locator('#own-table').waitFor();
  await page.locator('#quests').waitFor();
  await site.shot(`lobby-${language}-${size.width}`);
  return page;
}

/** Lower edge of the visible area: that of the window, or the top of the bar that covers it. */
const fold = (page) =>
  page.evaluate(() => {
    const bar = document.querySelector('nav.bottom');
    return bar?.checkVisibility() ? bar.getBoundingClientRect().top : innerHeight;
  });

for (const [name, size] of Object.entries({ phone: PHONE, laptop: LAPTOP, 'large screen': LARGE }))
  test(`the gold button and the first tile lie within the first screen of a ${name}`, async () => {
    const page = await lobby(size);
    const end = await fold(page);
    for (const selector of ['[data-play]', '[data-game="rummy51"]']) {
      const { y, height } = await page.locator(selector).boundingBox();
      check(y >= 0 && y + height <= end, `${selector} ends at ${y + height} of ${end}`);
    }
    equal(await page.locator('main .btn.primary').count(), 1, 'gold buttons');
    equal(
      (await page.locator('[data-play] .words').innerText()).split('\n'),
      ['Play Rummy 51', 'starts in 5 s'],
      'its words',
    );
  });

test('the row of games is swiped, and the keyboard reaches its end', async () => {
  const page = await lobby(PHONE);
  const row = page.locator('[data-swiped]');
  const hidden = await row.evaluate((el) => el.scrollWidth - el.clientWidth);
  check(hidden > 0, 'nothing to swipe');
  equal(await row.evaluate((el) => getComputedStyle(el).scrollSnapType), 'x', 'how it stops');
  await counted(row.locator('svg'), 10, 'pictures');
  const last = page.locator('[data-game="deals3"]');
  await last.focus();
  const inside = () =>
    last.evaluate((el) => {
      const { left, right } = el.getBoundingClientRect();
      return left >= 0 && right <= innerWidth;
    });
  check(await inside(), 'the last tile has the focus and is out of sight');
  equal(
    await last.getAttribute('aria-describedby').then((id) => page.locator(`#${id}`).innerText()),
    'Indian rummy over three deals: the most points win.',
    'what is read out with it',
  );
});

test('each tab of the bottom bar opens its page', async () => {
  const page = await lobby(PHONE);
  const bar = page.getByRole('navigation', { name: 'Main pages' });
  const tabs = {
    Play: '/',
    Daily: '/daily',
    Tournaments: '/tournaments',
    Friends: '/friends',
    Me: '/profile',
  };
  equal(await bar.getByRole('link').allInnerTexts(), Object.keys(tabs), 'tabs');
  for (const [name, path] of Object.entries(tabs)) {
    const tab = bar.getByRole('link', { name, exact: true });
    const { width, height, y } = await tab.boundingBox();
    check(width >= TARGET && height >= TARGET, `${name} is ${width}×${height}`);
    check(y + height <= PHONE.height, `${name} ends at ${y + height}`);
    await tab.tap();
    await page.waitForURL(`**${path}`);
    equal(await bar.locator('[aria-current=page]').innerText(), name, 'the current page');
  }
  await page.getByRole('link', { name: 'Wallet', exact: true }).tap();
  await page.waitForURL('**/wallet');
  equal(await bar.locator('[aria-current=true]').innerText(), 'Me', 'the tab above the wallet');
});

test('the Friends tab has a dot while a friend waits or plays', async () => {
  const page = await lobby(PHONE);
  const tab = page.getByRole('navigation', { name: 'Main pages' }).getByRole('link', { name: /^Friends/ });
  const dot = tab.locator('.dot');
  const friend = { player_id: '57', nickname: 'Bob', avatar: 'owl', table_id: null };
  equal(await tab.innerText(), 'Friends', 'without friends');
  for (const [state, shown] of Object.entries({ playing: true, lobby: false, waiting: true })) {
    site.send({ t: 'friends', d: { items: [{ ...friend, state }] } });
    await dot.waitFor({ state: shown ? 'visible' : 'detached' });
    equal(
      (await tab.textContent()).includes('friends are playing'),
      shown,
      `what it says of one in state ${state}`,
    );
  }
  site.send({ t: 'friends', d: { items: [] } });
  await dot.waitFor({ state: 'detached' });
});

for (const [name, size] of Object.entries({ 'phone held sideways': SIDEWAYS, laptop: LAPTOP }))
  test(`a ${name} has its pages in one row at the top`, async () => {
    const page = await lobby(size);
    await counted(page.locator('nav.bottom:visible'), 0, 'bars at the bottom');
    await page.getByRole('link', { name: 'Friends' }).waitFor();
    const { height } = await page.locator('header.top').boundingBox();
    check(height < 70, `the header is ${height} px high`);
  });

for (const language of SHOWN)
  test(`a lobby without other players names no zero and no absence in ${language}`, async () => {
    const page = await lobby(PHONE, { language });
    const words = await page.locator('main').innerText();
    check(
      !ZERO.test(words),
      `a zero: ${ZERO.exec(words)
        ?.input.split('\n')
        .filter((line) => ZERO.test(line))}`,
    );
    check(!NO_ONE.test(words), `an absence: ${NO_ONE.exec(words)?.[0]}`);
    equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, 'px too wide');
  });

test('tiles show the player count of each game', async () => {
  const games = [
    { variant: 'treff', playing: 3, waiting: 0 },
    { variant: 'rami', playing: 0, waiting: 1 },
    { variant: 'straight', playing: 1, waiting: 2 },
  ];
  const page = await lobby(PHONE, { picture: { ...NO_PLAYERS, games, playing: 4 } });
  const now = (variant) => page.locator(`[data-game="${variant}"] .now`);
  equal(await now('treff').innerText(), '3 playing', 'Treff');
  equal(await now('rami').innerText(), '1 waiting', 'Rami');
  equal(await now('straight').innerText(), '1 playing · 2 waiting', 'straight rummy');
  await counted(page.locator('.now'), 3, 'games with players');
});

test('the sign-in page shows its pitch and button on the first screen, and loads no lobby files', async () => {
  const door = await new Site().open(here.browser, here.origin, { viewport: PHONE, stranger: true });
  const asked = [];
  door.page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  for (const size of [PHONE, LAPTOP]) {
    await door.page.setViewportSize(size);
    await door.goto('/');
    await door.page.getByText('Ten rummy games').waitFor();
    const { y, height } = await door.page.getByRole('button', { name: 'Play now' }).boundingBox();
    check(y + height <= size.height, `the button ends at ${y + height} of ${size.height}`);
    await door.shot(`entrance-${size.width}`);
  }
  const before = asked.slice(0, asked.findIndex((path) => path.startsWith('/assets/Lobby')) >>> 0);
  equal(
    before.filter((path) => /\/(Frame|Lobby|Table|play)-/.test(path)),
    [],
    'files of pages behind it',
  );
  door.clean();
  await door.context.close();
});
