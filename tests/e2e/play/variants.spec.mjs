/* One game of every variant, opened in the page and played in it to its end against bots with real
 * components: the choice of game and options, totals from hand to hand, drops, declarations, the last result,
 * every deal verified. Deals and bots come from a seed and from the number of the table, chosen so that the
 * game is short. Every run plays the same games, each in one way: by touch on a phone in portrait or
 * landscape, or by keyboard (game.spec and people.spec play by mouse). The long form also plays the
 * variants that the page shows with the same parts (docs/development.md). RUMMY_LONG=1 (scripts/test
 * games): every game in every way, any deal, and sessions of full length. Screenshots of each game's moments
 * go to RUMMY_PICTURES_ALL, at laptop and phone width. */
import { openPage, pictures } from '../lib/browser.mjs';
import { LONG } from '../lib/harness.mjs';
import { inLobby } from '../lib/people.mjs';
import { openOwnTable } from '../lib/tables.mjs';
import { SessionPlayer } from '../lib/session.mjs';
import { closeClean, expect, note, test } from '../lib/test.mjs';
import { KEYBOARD, MOUSE, SIDEWAYS, TOUCH } from '../lib/ways.mjs';

const PICTURES = process.env.RUMMY_PICTURES_ALL;

/** table: determines its deals; its number is derived from it. hands: their minimum number. plan: what to
 * do in a hand instead of playing it out. way: the window and input method. long: differences in the long
 * form. nightly: only in the long form, because another test covers everything that the page draws for
 * it. */
const GAMES = [
  { variant: 'rummy51', nightly: true, way: KEYBOARD, table: 44, long: { seats: 4 } },
  {
    variant: 'straight',
    nightly: true,
    way: SIDEWAYS,
    table: 726,
    options: { target: 50 },
    long: { options: { target: 150 }, seats: 3 },
  },
  {
    variant: 'treff',
    nightly: true,
    way: SIDEWAYS,
    table: 31,
    options: { rounds: 1 },
    long: { options: { rounds: 3 }, hands: 3 },
  },
  {
    variant: 'rummy40',
    nightly: true,
    way: TOUCH,
    table: 297,
    options: { rounds: 1 },
    long: { options: { rounds: 3 }, hands: 3 },
  },
  {
    variant: 'rami',
    nightly: true,
    way: MOUSE,
    table: 484,
    options: { rounds: 2 },
    hands: 2,
    long: { options: { rounds: 3 }, hands: 3 },
  },
  { variant: 'points', way: KEYBOARD, table: 30, seats: 3, long: { seats: 6 } },
  {
    variant: 'pool101',
    way: TOUCH,
    table: 1,
    plan: { 1: 'drop', 2: 'wrong', 3: 'wrong' },
    hands: 3,
    long: { plan: {}, hands: 1 },
  },
  {
    variant: 'pool201',
    nightly: true,
    way: SIDEWAYS,
    table: 1,
    plan: { 1: 'wrong', 2: 'wrong', 3: 'wrong' },
    hands: 3,
    long: { plan: {}, hands: 2 },
  },
  {
    variant: 'deals2',
    nightly: true,
    way: KEYBOARD,
    table: 327,
    plan: { 1: 'wrong' },
    hands: 2,
    long: { plan: {} },
  },
  {
    variant: 'deals3',
    nightly: true,
    way: MOUSE,
    table: 478,
    plan: { 1: 'wrong', 2: 'wrong' },
    hands: 3,
    long: { plan: {}, hands: 3 },
  },
].map((game, i) => ({ seats: 2, ...game, table: 1000 * (i + 1) + game.table, ...(LONG ? game.long : {}) }));
const WAYS = [TOUCH, SIDEWAYS, KEYBOARD, MOUSE];

const SEED = 'one game of each';
/** Makes a browser's client seed constant: each request for 32 random bytes returns the same. */
const fixClientSeed = () => {
  const random = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = (array) => (array.byteLength === 32 ? array.fill(7) : random(array));
};

async function openTable(page, url, { variant, seats, options = {} }) {
  await openOwnTable(page, url, variant, { players: seats, bots: seats - 1, level: 'easy', options });
  await page.waitForSelector('.hand [data-card]');
}

/** The verdict of the last result on every deal. A game of one hand has a single verdict. */
async function deals(page) {
  await page.waitForSelector('[data-verdict]');
  const hands = page.locator('[data-hand-verdict]');
  if ((await hands.count()) === 0) return [await page.locator('[data-verdict]').getAttribute('data-verdict')];
  return hands.evaluateAll((all) => all.map((el) => el.dataset.handVerdict));
}

/** Each deal is verified, except one without a card for this player: for it, the player can only check the
 * consistency. */
async function checkDeals(page, hands, player, what) {
  const verdicts = await deals(page);
  const expected = verdicts.map((verdict, i) =>
    verdict === 'partial' && !player.played.has(i + 1) ? verdict : 'verified',
  );
  expect(verdicts, what).toEqual(expected);
  expect(verdicts.length, `${what}: how many`).toEqual(hands);
}

/** The page of the finished game deals every hand again, each by its own parameters. */
async function laterChecked(page, hands, player) {
  const [, game] = /\/games\/(\d+)/.exec(
    await page.getByRole('link', { name: 'Watch replay' }).getAttribute('href'),
  );
  await page.goto(new URL(`/games/${game}`, page.url()).href);
  await page.locator('[data-hand]').first().waitFor();
  await checkDeals(page, hands, player, 'the checks of the page of the game');
}

/** Records each moment of a game once, at each size, if screenshots are wanted. */
function photographer(page, variant) {
  const taken = new Set();
  return async (moment) => {
    if (!PICTURES || taken.has(moment)) return;
    taken.add(moment);
    const before = page.viewportSize();
    await pictures(page, PICTURES, `${variant}-${moment}`);
    await page.setViewportSize(before);
  };
}

async function played(page, platform, game, way) {
  if (!LONG) platform.sql(`ALTER TABLE tables ALTER COLUMN id RESTART WITH ${game.table}`);
  await openTable(page, platform.url, game);
  const picture = photographer(page, game.variant);
  const player = new SessionPlayer(page, game.plan, picture, way);
  await player
    .play(() => picture('between'))
    .catch(async (error) => {
      await picture('failed');
      throw error;
    });
  const hands = player.hands + 1;
  expect(hands >= (game.hands ?? 1), `${hands} hands`).toBeTruthy();
  await checkDeals(page, hands, player, 'the checks of the deals');
  await picture('result');
  if (hands > 1) await laterChecked(page, hands, player);
  note(`${hands} hands, ${player.turns} own turns, ${player.laid} hints taken, ${player.grouped} groupings`);
}

/* Each way is a separate test, so that the work can be spread over several workers. */
test.describe.configure({ mode: 'parallel' });

/* The seed determines every deal of a server. */
test.use({ serverFlags: LONG ? {} : { dev_seed: SEED, bot_think_ms: 0 } });

for (const way of WAYS) {
  const games = GAMES.filter((one) => LONG || (one.way === way && !one.nightly));
  if (games.length === 0) continue;
  test.describe(way.name, () => {
    test.describe.configure({ mode: 'default' });
    let opened;

    test.beforeAll(async ({ browser, platform }) => {
      opened = await openPage(browser, { ...way.options, reducedMotion: 'reduce' });
      if (!LONG) await opened.page.addInitScript(fixClientSeed);
      await opened.page.goto(platform.url);
      await opened.page.getByRole('button', { name: 'Play now' }).click();
      await inLobby(opened.page);
    });

    test.afterAll(() => closeClean(opened));

    for (const game of games)
      test(`a game of ${game.variant} is opened and played to its end ${way.name}`, ({ platform }) =>
        played(opened.page, platform, game, way));

    test(`the page had no error in all these games ${way.name}`, () =>
      expect(opened.errors, 'errors').toEqual([]));
  });
}
