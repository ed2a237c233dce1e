/* A line that goes dead under a player, and comes back: at a table, with a card in the hand, in the lobby. The page and its
 * sockets go through lines that are ours (lib/line.mjs). PICTURES names a folder for pictures of it. */
import { openPage, pictures, SIZES } from './lib/browser.mjs';
import { check, equal, test, until } from './lib/harness.mjs';
import { Line } from './lib/line.mjs';
import { Platform } from './lib/server.mjs';
import { SessionPlayer } from './lib/session.mjs';

const LOST = 'Connection lost. Trying again…';
/** What the page promises. A starved machine gets as much more as its page was late meanwhile. */
const SEEN_MS = 5000;
const BACK_MS = 1000;

/** The page's own record: each state of the pill and when it came, and how late its clock was in all. */
function record() {
  const told = [];
  window.connectionRecord = { told, late: 0 };
  const look = () => {
    const state = document.querySelector('[data-connection]')?.dataset.connection;
    if (state && told.at(-1)?.state !== state) told.push({ state, at: Date.now() });
  };
  new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true, attributeFilter: ['data-connection'] });
  let last = performance.now();
  setInterval(() => {
    window.connectionRecord.late += Math.max(0, performance.now() - last - 60);
    last = performance.now();
  }, 50);
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

/** A table of two, against a bot. */
async function sit(page, url) {
  const table = await page.evaluate(async () => {
    const { access } = JSON.parse(localStorage.getItem('rummyd:session'));
    const headers = { Authorization: `Bearer ${access}`, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() };
    const body = JSON.stringify({ variant: 'treff', seats: 2, bots: 1, options: { turn_s: 120 } });
    return (await fetch('/v1/tables', { method: 'POST', headers, body })).json();
  });
  await page.goto(`${url}/table/${table.table_id}`);
  await page.waitForSelector('.hand [data-card]');
}

const connected = (page, state) => page.waitForSelector(`[data-connection="${state}"]`, { state: 'attached' });
const late = (page) => page.evaluate(() => window.connectionRecord.late);

/** Does what kills the line, and waits until the page says so, which it does in time. */
async function dies(page, kill) {
  const lateBefore = await late(page);
  const began = Date.now();
  await kill();
  await connected(page, 'lost');
  const { at } = await page.evaluate(() => window.connectionRecord.told.findLast((t) => t.state === 'lost'));
  const allowed = SEEN_MS + (await late(page)) - lateBefore;
  check(at - began <= allowed, `a dead line was seen after ${at - began} ms, later than ${allowed}`);
  console.log(`      seen after ${at - began} ms`);
}

/** What two requests one after another take on a line that carries: a loaded machine answers late. */
const exchange = (page) =>
  page.evaluate(async () => {
    const began = performance.now();
    for (let i = 0; i < 2; i++) await (await fetch('/readyz')).text();
    return performance.now() - began;
  });

/** Does what revives the line, and waits until what was waited for has come, which it does in time. */
async function revives(page, revive, come, what) {
  const lateBefore = await late(page);
  const began = Date.now();
  await revive();
  await until(come, what);
  const took = Date.now() - began;
  const allowed = BACK_MS + (await late(page)) - lateBefore + (await exchange(page));
  check(took <= allowed, `${what} came after ${took} ms, later than ${allowed}`);
  console.log(`      back after ${took} ms`);
}

const handOf = (page) => page.evaluate(() => [...document.querySelectorAll('.hand [data-card]')].map((el) => el.dataset.card));

/** The own turn, nothing drawn yet. */
async function toDraw(player) {
  for (;;) {
    check(await player.waitTurn(), 'the hand is over');
    const { prompt } = await player.board();
    if (/Draw/.test(prompt)) return;
    await player.discard();
  }
}

async function stallsBeforeAClick(lines, page, player) {
  await toDraw(player);
  const before = (await handOf(page)).length;
  await dies(page, () => lines.both('stall'));
  await page.locator('.stock').click();
  await page.getByText('Your last move will be sent once it’s back.').waitFor();
  await page.waitForTimeout(5000); // by now the requests of several tries hang
  const drawn = async () => (await handOf(page)).length > before;
  await revives(page, () => lines.both('carry'), drawn, 'the card that was asked for meanwhile');
  await connected(page, 'open');
  equal((await handOf(page)).length, before + 1, 'cards after one draw');
  await player.discard();
}

/** As from one network into another: new connections come through, old ones never again, and nobody says so. */
async function stallsForGood(lines, page, player) {
  await toDraw(player);
  await dies(page, () => lines.both('stall'));
  await page.waitForTimeout(3000);
  lines.both('carry', { old: false });
  await connected(page, 'open'); // once the browser has used up the connections that it kept
}

async function stallsAtAClick(lines, page, player) {
  await toDraw(player);
  const before = (await handOf(page)).length;
  await dies(page, async () => {
    lines.both('stall');
    await page.locator('.stock').click();
    await connected(page, 'sending');
    await page.getByText('Sending…').waitFor();
  });
  await picture(page, 'line-lost-at-table');
  const drawn = async () => (await handOf(page)).length > before;
  await revives(page, () => lines.both('carry'), drawn, 'the card');
  await connected(page, 'open');
  equal((await handOf(page)).length, before + 1, 'cards after one draw');
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
  const card = hand.findLast((held) => !held.startsWith('X')); // a joker could not be thrown
  const ghost = () => page.locator('.ghost [aria-label], .ghost svg').count();
  await page.mouse.move(...(await box(`.hand [data-card="${card}"]`)));
  await page.mouse.down();
  await page.mouse.move(...(await box('.discard')), { steps: 8 });
  check((await ghost()) > 0, 'no card is dragged');
  await dies(page, () => lines.both('cut'));
  check((await ghost()) > 0, 'the lost line took the card from the pointer');
  await revives(page, () => lines.both('carry'), () => page.locator('[data-connection="open"]').count(), 'the connection');
  check((await ghost()) > 0, 'the connection took the card from the pointer');
  equal(await handOf(page), hand, 'the hand meanwhile');
  await page.mouse.move(...(await box('.discard')), { steps: 2 });
  await page.mouse.up();
  await until(async () => !(await handOf(page)).includes(card), 'the card was not thrown');
  equal((await handOf(page)).length, hand.length - 1, 'cards after the throw');
}

async function offline(context, page, player) {
  await toDraw(player);
  await dies(page, () => context.setOffline(true));
  await revives(page, () => context.setOffline(false), () => page.locator('[data-connection="open"]').count(), 'the connection');
}

/** Requests of the API that the page makes while work is done, by method and path. */
async function requestsOf(page, work) {
  const asked = [];
  const note = (request) => {
    const { pathname } = new URL(request.url());
    if (pathname.startsWith('/v1/')) asked.push(`${request.method()} ${pathname}`);
  };
  page.on('request', note);
  await work();
  page.off('request', note);
  return asked;
}

/** What is shown of the lobby is marked while it may be old, and comes by itself when the line does: each list once. */
async function lobbyHeals(lines, page) {
  await page.goto(lines.url);
  await page.locator('.online').waitFor();
  await dies(page, () => lines.both('stall'));
  await page.locator('.online.stale').waitFor();
  await page.getByText(LOST).waitFor();
  await picture(page, 'line-lost-in-lobby');
  lines.platform.sql("UPDATE rooms SET reward = 17 WHERE id = 'desert'");
  lines.both('cut'); // what hung has failed: all of it has to be asked for anew
  const asked = await requestsOf(page, async () => {
    await revives(page, () => lines.both('carry'), async () => (await page.locator('.online.stale').count()) === 0, 'the lobby');
    await page.locator('[data-room="desert"] .chips', { hasText: '17' }).waitFor();
    await page.waitForTimeout(500);
  });
  equal(await page.getByText(LOST).count(), 0, 'words of a line that is back');
  const lists = asked.filter((request) => !request.endsWith('/lobby/tickets')).sort();
  equal(lists, ['GET /v1/daily-deals', 'GET /v1/me', 'GET /v1/me/quests', 'GET /v1/me/tables', 'GET /v1/notifications', 'GET /v1/rooms', 'GET /v1/wallet'], 'what was asked for');
}

export async function connectionTests(browser) {
  const lines = new Lines();
  try {
    await lines.start();
    const { context, page, errors } = await enter(browser, lines.url);
    await sit(page, lines.url);
    const player = new SessionPlayer(page);
    await test('a line that stalls is seen within five seconds, and play goes on within one of its return', () => stallsBeforeAClick(lines, page, player));
    await test('connections that never carry again are left for a new one', () => stallsForGood(lines, page, player));
    await test('a move into a stalled line is told as being sent, and counts once', () => stallsAtAClick(lines, page, player));
    await test('a line that carries only one way is dead', () => carriesOneWay(lines, page, player));
    await test('a card stays under the pointer while the line is cut and comes back', () => cutInMidDrag(lines, page, player));
    await test('a browser without a network is told, and back at once with it', () => offline(context, page, player));
    await test('the lobby heals by itself', () => lobbyHeals(lines, page));
    await test('the page had no error', async () => equal(errors, [], 'errors'));
    await context.close();
  } finally {
    await lines.stop();
  }
}
