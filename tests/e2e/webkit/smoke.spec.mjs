/* A newcomer's first visit in WebKit: the entrance, the guided hand, a game, its result, and its replay. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '../lib/test.mjs';
import { WebKit } from '../lib/webkit.mjs';

/** As narrow as MiniBrowser gets. */
const NARROW = { width: 450, height: 740 };
const LAPTOP = { width: 1366, height: 650 };
const TURNS_MAX = 200;

test.describe.configure({ mode: 'serial' });

let webkit;

test.afterEach(async () => {
  if (process.env.E2E_SHOTS)
    writeFileSync(
      join(process.env.E2E_SHOTS, `webkit-${test.info().title.replaceAll(/\W+/g, '-')}.png`),
      Buffer.from(await webkit.command('GET', '/screenshot'), 'base64'),
    );
  expect(await webkit.failures(), 'what the page has thrown').toEqual([]);
});
test.afterAll(() => webkit?.close());

/** In the page: the marks of the guided hand, cards first, then their destination; a null target: it is
 * over. */
function marked() {
  if (document.querySelector('a[href="/practice"]')) return { target: null };
  const card = document.querySelector('[data-guided="card"]');
  if (card) return { target: `.hand [data-card="${card.dataset.card}"]` };
  const place = document.querySelector('[data-guided="place"]');
  if (!place) return null;
  if (place.dataset.anchor) return { target: `[data-anchor="${place.dataset.anchor}"]` };
  return {
    target: place.dataset.meld ? `[data-meld="${place.dataset.meld}"]` : '.buttons .btn:not(:disabled)',
  };
}

const stepOf = () => document.querySelector('.guide .num')?.textContent ?? 'over';

async function guidedHand() {
  for (;;) {
    const { target } = await webkit.when(marked, 'nothing is marked in the guided hand');
    if (target === null) return;
    const before = await webkit.run(stepOf);
    const chosen = () => document.querySelectorAll('.hand [aria-pressed="true"]').length;
    const cards = await webkit.run(chosen);
    await webkit.click(target);
    await webkit.when(
      (step, n) =>
        (document.querySelector('.guide .num')?.textContent ?? 'over') !== step ||
        document.querySelectorAll('.hand [aria-pressed="true"]').length !== n,
      `${before}: nothing followed a tap on ${target}`,
      before,
      cards,
    );
  }
}

/** In the page: the next action at the table; null: nothing yet. */
function moment() {
  if (document.querySelector('ol.scores')) return { todo: 'read' };
  if (!document.querySelector('.actions.mine') || !document.querySelector('[data-connection="open"]'))
    return null;
  const cards = document.querySelectorAll('.hand [data-card]').length;
  return { todo: document.querySelector('.stock.ready') ? 'draw' : 'discard', cards };
}

const fewerOrMore = (n) =>
  document.querySelector('ol.scores') !== null || document.querySelectorAll('.hand [data-card]').length !== n;

/** Draws from the stock and discards its first card until a bot has won. */
async function play() {
  for (let moves = 0; moves < 2 * TURNS_MAX; moves++) {
    const { todo, cards } = await webkit.when(moment, 'no turn came');
    if (todo === 'read') return;
    if (todo === 'draw') await webkit.click('[data-anchor="stock"]');
    else {
      await webkit.click('.hand [data-card]');
      await webkit.when(
        () => document.querySelector('.hand [aria-pressed="true"]') !== null,
        'no card is selected',
      );
      await webkit.click('[data-anchor="discard"]');
    }
    await webkit.when(fewerOrMore, `nothing followed a ${todo}`, cards);
  }
  throw new Error(`no end after ${TURNS_MAX} turns`);
}

const heading = (name) =>
  webkit.when(
    (text) => [...document.querySelectorAll('h1')].some((el) => el.textContent.trim() === text),
    `the heading ${name}`,
    name,
  );

test('a guest enters and sees the lobby', async ({ platform }) => {
  webkit = await WebKit.open(NARROW);
  await webkit.goto(platform.url);
  await webkit.click('input[name="nickname"]');
  await webkit.type('Wilma');
  await webkit.click('button', 'Play now');
  await heading('Lobby');
});

test('the guided hand can be played by its marks alone', async ({ platform }) => {
  await webkit.goto(`${platform.url}/learn`);
  await guidedHand();
});

test('a game is played to its end', async ({ platform }) => {
  await webkit.resize(LAPTOP.width, LAPTOP.height);
  await webkit.goto(platform.url);
  await webkit.click('[data-game="rummy51"]');
  await play();
  await webkit.when(
    () => document.querySelector('[data-verdict="verified"]') !== null,
    'the deal is not verified',
  );
});

test('its replay steps through the game', async ({ platform }) => {
  await webkit.goto(`${platform.url}/games`);
  await webkit.click('a', 'Watch replay');
  const count = () => document.querySelector('.controls .count')?.textContent ?? null;
  const before = await webkit.when(count, 'no replay');
  await webkit.click('button', 'One move forward');
  await webkit.when(
    (old) => document.querySelector('.controls .count')?.textContent !== old,
    'the replay stands still',
    before,
  );
});
