/* A newcomer's first visit in WebKit: the sign-in page, the guided hand, a game, its result, and its replay. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { marked } from '../lib/guided.mjs';
import { expect, test } from '../lib/test.mjs';
import { textsOf } from '../lib/texts.mjs';
import { WebKit } from '../lib/webkit.mjs';

/** MiniBrowser's minimum width. */
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

/** In the page: the result of `marked`, or { over: true } once the hand is over. */
const markedOrOver = `() => (document.querySelector('ol.scores') ? { over: true } : (${marked})())`;
const isSelected = (card) =>
  document.querySelector(`.hand [data-card="${card}"][aria-pressed="true"]`) !== null;
const isPast = (step) => document.querySelector('.guide')?.dataset.step !== step;

/** The target of a mark in the guided hand: a selector and, for a button, its text. */
function destination(at) {
  if (at === 'buttons') return ['.buttons button', textsOf('en')['moves.lay']];
  return [at.startsWith('meld ') ? `[data-meld="${at.slice(5)}"]` : `[data-anchor="${at}"]`];
}

async function guidedHand() {
  for (;;) {
    const { over, step, cards, at } = await webkit.when(markedOrOver, 'nothing is marked in the guided hand');
    if (over) return;
    for (const card of cards) {
      await webkit.click(`.hand [data-card="${card}"]`);
      await webkit.when(isSelected, `${step}: a tap on ${card} does not select it`, card);
    }
    const place = cards.length > 0 ? (await webkit.when(marked, `${step}: no place is marked`)).at : at;
    await webkit.click(...destination(place));
    await webkit.when(isPast, `${step}: nothing followed a tap on ${place}`, step);
  }
}

/** In the page: the next action at the table, or null if there is none yet. */
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

test('a guest signs in and sees the lobby', async ({ platform }) => {
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
