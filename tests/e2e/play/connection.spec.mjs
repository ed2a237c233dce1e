/* Connections that die silently during use, and recover: at a table, with a card in the hand, in the lobby.
 * The page and its sockets go through our proxies (lib/line.mjs). PICTURES is the folder for screenshots of
 * it. */
import { openPage, pictures, SIZES } from '../lib/browser.mjs';
import { STRICT_TIMES, until } from '../lib/harness.mjs';
import { Line } from '../lib/line.mjs';
import { Platform } from '../lib/server.mjs';
import { SessionPlayer } from '../lib/session.mjs';
import { closeClean, expect, note, test } from '../lib/test.mjs';

const LOST = 'Connection lost. Trying again…';
/** Times that the page guarantees. They are printed, and checked only on an otherwise idle machine
 * (STRICT_TIMES). */
const SEEN_MS = 5000;
const BACK_MS = 1000;

/** Records inside the page each state of the pill with its time and text. */
function record() {
  const told = [];
  window.connectionRecord = { told };
  const look = () => {
    const pill = document.querySelector('[data-connection]');
    const state = pill?.dataset.connection;
    if (state && told.at(-1)?.state !== state) told.push({ state, at: Date.now(), words: pill.innerText });
  };
  new MutationObserver(look).observe(document, {
    subtree: true,
    childList: true,
    attributes: true,
    attributeFilter: ['data-connection'],
  });
}

async function picture(page, name) {
  if (process.env.PICTURES) await pictures(page, process.env.PICTURES, name);
}

class Lines {
  async start() {
    this.http = await new Line().start();
    this.ws = await new Line().start();
    this.platform = await new Platform().start({ ws_url: `ws://localhost:${this.ws.port}` });
    this.http.to = this.platform.http;
    this.ws.to = this.platform.ws;
    this.url = `http://localhost:${this.http.port}`;
    return this;
  }

  both(what, how) {
    this.http[what](how);
    this.ws[what](how);
  }

  async stop() {
    await this.platform?.stop();
    await Promise.all([this.http.stop(), this.ws.stop()]);
  }
}

async function enter(browser, url) {
  const opened = await openPage(browser, { viewport: SIZES.laptop, reducedMotion: 'reduce' });
  await opened.page.addInitScript(record);
  await opened.page.goto(url);
  await opened.page.getByLabel('Nickname (optional)').fill('Anna');
  await opened.page.getByRole('button', { name: 'Play now' }).click();
  await opened.page.getByRole('heading', { name: 'Lobby' }).waitFor();
  return opened;
}

/** A table of two, against a bot that can neither open nor end the game. */
async function sit(page, url) {
  const table = await page.evaluate(async () => {
    const { access } = JSON.parse(localStorage.getItem('rummyd:session'));
    const headers = {
      Authorization: `Bearer ${access}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    };
    const options = { turn_s: 120, opening_min: 200 };
    const body = JSON.stringify({ variant: 'rummy51', seats: 2, bots: 1, options });
    return (await fetch('/v1/tables', { method: 'POST', headers, body })).json();
  });
  await page.goto(`${url}/table/${table.table_id}`);
  await page.waitForSelector('.hand [data-card]');
}

const connected = (page, state) =>
  page.waitForSelector(`[data-connection="${state}"]`, { state: 'attached' });

/** A measured time. */
function timed(what, took, most) {
  note(`${what} after ${took} ms`);
  expect(!STRICT_TIMES || took <= most, `${what} after ${took} ms, later than ${most}`).toBeTruthy();
}

/** Kills the connection, and waits until the page shows it. */
async function dies(page, kill) {
  const began = Date.now();
  await kill();
  await connected(page, 'lost');
  const { at } = await page.evaluate(() => window.connectionRecord.told.findLast((t) => t.state === 'lost'));
  timed('a dead line was seen', at - began, SEEN_MS);
}

/** Restores the connection, and waits for the effect. */
async function revives(page, revive, come, what) {
  const began = Date.now();
  await revive();
  await until(come, what);
  timed(`${what} came`, Date.now() - began, BACK_MS);
}

const handOf = (page) =>
  page.evaluate(() => [...document.querySelectorAll('.hand [data-card]')].map((el) => el.dataset.card));

/** The player's turn, nothing drawn yet. */
async function toDraw(player) {
  for (;;) {
    expect(await player.waitTurn(), 'the hand is over').toBeTruthy();
    const { prompt } = await player.board();
    if (/Draw/.test(prompt)) return;
    await player.discard();
  }
}

/** Waits until the page has made this many more attempts, whose requests hang. */
function tries(page, n) {
  let left = n;
  return page.waitForRequest((request) => /\/tickets$/.test(new URL(request.url()).pathname) && --left === 0);
}

async function stallsBeforeAClick(lines, page, player) {
  await toDraw(player);
  const before = (await handOf(page)).length;
  await dies(page, () => lines.both('stall'));
  await page.locator('.stock').click();
  await page.getByText('Your last move will be sent once it’s back.').waitFor();
  await tries(page, 2);
  const drawn = async () => (await handOf(page)).length > before;
  await revives(page, () => lines.both('carry'), drawn, 'the card drawn during the outage');
  await connected(page, 'open');
  expect((await handOf(page)).length, 'cards after one draw').toEqual(before + 1);
  await player.discard();
}

/** As when changing networks: new connections work, old ones never again, and nothing reports it. */
async function stallsForGood(lines, page, player) {
  await toDraw(player);
  await dies(page, () => lines.both('stall'));
  await tries(page, 1);
  lines.both('carry', { old: false });
  await connected(page, 'open'); // once the browser has run out of kept-alive connections
}

async function stallsAtAClick(lines, page, player) {
  await toDraw(player);
  const before = (await handOf(page)).length;
  await dies(page, async () => {
    lines.both('stall');
    await page.locator('.stock').click();
  });
  const told = await page.evaluate(() => window.connectionRecord.told);
  const next = told[told.findLastIndex(({ state }) => state === 'open') + 1]; // it disappears after a few seconds
  expect(next.state, 'the first state after the click').toBe('sending');
  expect(next.words, 'words').toContain('Sending…');
  await picture(page, 'line-lost-at-table');
  const drawn = async () => (await handOf(page)).length > before;
  await revives(page, () => lines.both('carry'), drawn, 'the card');
  await connected(page, 'open');
  expect((await handOf(page)).length, 'cards after one draw').toEqual(before + 1);
  await player.discard();
}

async function carriesOneWay(lines, page, player) {
  await toDraw(player);
  await dies(page, () => lines.both('stall', { up: true, down: false }));
  lines.both('carry');
  await connected(page, 'open');
}

async function cutInMidDrag(lines, page, player) {
  await toDraw(player);
  await player.draw();
  const hand = await handOf(page);
  const box = async (selector) => {
    const { x, y, width, height } = await page.locator(selector).first().boundingBox();
    return [x + width / 2, y + height / 2];
  };
  const card = hand.findLast((held) => !held.startsWith('X')); // a joker could not be discarded
  const ghost = () => page.locator('.ghost [aria-label], .ghost svg').count();
  await page.mouse.move(...(await box(`.hand [data-card="${card}"]`)));
  await page.mouse.down();
  await page.mouse.move(...(await box('.discard')), { steps: 8 });
  expect((await ghost()) > 0, 'no card is dragged').toBeTruthy();
  await dies(page, () => lines.both('cut'));
  expect((await ghost()) > 0, 'the lost line took the card from the pointer').toBeTruthy();
  await revives(
    page,
    () => lines.both('carry'),
    () => page.locator('[data-connection="open"]').count(),
    'the connection',
  );
  expect((await ghost()) > 0, 'the connection took the card from the pointer').toBeTruthy();
  expect(await handOf(page), 'the hand meanwhile').toEqual(hand);
  await page.mouse.move(...(await box('.discard')), { steps: 2 });
  await page.mouse.up();
  await until(async () => !(await handOf(page)).includes(card), 'the card was not thrown');
  expect((await handOf(page)).length, 'cards after the throw').toEqual(hand.length - 1);
}

async function offline(context, page, player) {
  await toDraw(player);
  await dies(page, () => context.setOffline(true));
  await revives(
    page,
    () => context.setOffline(false),
    () => page.locator('[data-connection="open"]').count(),
    'the connection',
  );
}

/** Requests that the lobby makes once its connection is back. */
const LISTS = [
  'GET /v1/daily-deals',
  'GET /v1/me',
  'GET /v1/me/quests',
  'GET /v1/me/tables',
  'GET /v1/notifications',
  'GET /v1/puzzles/daily',
  'GET /v1/rooms',
  'GET /v1/wallet',
];

/** API requests that the page makes during `work`, by method and path; `work` can read the list, too. */
async function requestsOf(page, work) {
  const asked = [];
  const note = (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) asked.push(`${request.method()} ${pathname}`);
  };
  page.on('request', note);
  await work(asked);
  page.off('request', note);
  return asked;
}

/** The lobby marks stale contents, and reloads each list once when the connection returns. */
async function lobbyHeals(lines, page) {
  await page.goto(lines.url);
  await page.locator('.now').first().waitFor();
  await dies(page, () => lines.both('stall'));
  await page.locator('.now.stale').first().waitFor();
  await page.getByText(LOST).waitFor();
  await picture(page, 'line-lost-in-lobby');
  lines.platform.sql("UPDATE rooms SET reward = 17 WHERE id = 'desert'");
  lines.both('cut'); // pending requests have failed: all of it must be requested again
  const asked = await requestsOf(page, async (sent) => {
    await revives(
      page,
      () => lines.both('carry'),
      async () => (await page.locator('.now.stale').count()) === 0,
      'the lobby',
    );
    await page.locator('[data-room="desert"] .chips', { hasText: '17' }).waitFor();
    await expect.poll(() => LISTS.filter((list) => !sent.includes(list)), 'not read again').toEqual([]);
    await page.evaluate(() => fetch('/readyz')); // any duplicate request would have been made by now
  });
  expect(await page.getByText(LOST).count(), 'words of a line that is back').toBe(0);
  const lists = asked.filter((request) => !request.endsWith('/lobby/tickets')).sort();
  expect(lists, 'requests').toEqual(LISTS);
}

let lines;
let opened;
let page;
let player;

test.beforeAll(async ({ browser }) => {
  lines = await new Lines().start();
  opened = await enter(browser, lines.url);
  page = opened.page;
  await sit(page, lines.url);
  player = new SessionPlayer(page);
});

test.afterAll(async () => {
  await closeClean(opened);
  await lines.stop();
});

test('a stalled connection is detected, and play resumes when it recovers', () =>
  stallsBeforeAClick(lines, page, player));

test('connections that stay stalled are replaced', () => stallsForGood(lines, page, player));

test('a move on a stalled connection is shown as pending, and counts once', () =>
  stallsAtAClick(lines, page, player));

test('a connection that works in one direction only is dead', () => carriesOneWay(lines, page, player));

test('a dragged card stays under the pointer during a reconnect', () => cutInMidDrag(lines, page, player));

test('a browser that goes offline is notified, and reconnects as soon as it is online', () =>
  offline(opened.context, page, player));

test('the lobby heals by itself', () => lobbyHeals(lines, page));

test('the page had no error', () => expect(opened.errors, 'errors').toEqual([]));
