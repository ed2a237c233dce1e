/* Several players, each in a separate browser: a private table by its link, a whole game between two of them
 * and (in the long form) one of four, one disconnected and reconnected, chat, mute, report, a rematch, a
 * restart of the server; tables watched by a link and from the lobby; taking a bot's seat. PICTURES is the
 * folder for screenshots of all this. */
import { pictures, SIZES } from '../lib/browser.mjs';
import { LONG, until } from '../lib/harness.mjs';
import { person } from '../lib/people.mjs';
import { openOwnTable } from '../lib/tables.mjs';
import { SessionPlayer } from '../lib/session.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

/** The game of two ends when the second player, back after a disconnection, drops; in the long form it is
 * played out. */
const OF_TWO = LONG ? { variant: 'treff', name: 'Treff' } : { variant: 'points', name: 'Points rummy' };
const CUT_TURN = LONG ? 3 : 1;

/** Draws and discards without declaring, so that the hand lasts. */
async function drawAndDiscard(player) {
  player.turns++;
  await player.draw();
  await player.discardLoose();
}

async function dropNow(player) {
  player.turns++;
  expect(await player.drop(), 'a drop is offered').toBe(true);
}

async function picture(page, name) {
  if (process.env.PICTURES) await pictures(page, process.env.PICTURES, name);
}

const LAPTOP = { viewport: SIZES.laptop };

/** Games are short here: treff has one round. */
const openForPeople = (page, url, variant, choices) =>
  openOwnTable(page, url, variant, {
    options: variant === 'treff' ? { rounds: 1 } : {},
    shown: () => picture(page, 'tables-open'),
    ...choices,
  });

const dealt = (page) => page.waitForSelector('.hand [data-card]');

/** Disconnected in the middle of the game: the page is closed, and returns to the same hand. */
async function cutOff(context, page) {
  const cards = (p) =>
    p.evaluate(() =>
      [...document.querySelectorAll('.hand [data-card]')]
        .map((el) => el.dataset.card)
        .sort()
        .join(),
    );
  const [address, before] = [page.url(), await cards(page)];
  await page.close();
  const back = await context.newPage();
  await back.goto(address);
  await dealt(back);
  expect(await cards(back), 'the hand after coming back').toEqual(before);
  return back;
}

/** Ben is muted and unmuted, and reported; the panel stays open. */
async function mutesAndReports(anna, ben) {
  await anna.page.getByRole('button', { name: 'Chat' }).click();
  await anna.page.getByText('Add, mute, or report').click();
  await anna.page.getByRole('button', { name: 'Mute', exact: true }).click();
  await anna.page.getByText('hear from Ben anymore').waitFor();
  await picture(anna.page, 'talk-muted');
  await ben.page.getByRole('button', { name: 'Chat' }).click();
  await ben.page.getByLabel('Say something to the table').fill('Can you hear me?');
  await ben.page.getByRole('button', { name: 'Send', exact: true }).click();
  await ben.page.getByLabel('Messages', { exact: true }).getByText('Can you hear me?').waitFor();
  await anna.page.getByRole('button', { name: 'Unmute' }).click();
  await anna.page.getByText('You’ll hear from Ben again.').waitFor();
  await ben.page.getByRole('button', { name: 'Hello!' }).click();
  await anna.page.getByLabel('Messages', { exact: true }).getByText('Hello!').waitFor();
  expect(
    await anna.page.getByLabel('Messages', { exact: true }).getByText('Can you hear me?').count(),
    'messages of a muted player',
  ).toBe(0);
  await anna.page.getByRole('button', { name: 'Report' }).click();
  await anna.page.getByLabel('Why').selectOption('stalling');
  await anna.page.getByLabel('What happened').fill('Takes his time.');
  await picture(anna.page, 'talk-report');
  await anna.page.getByRole('button', { name: 'Send report' }).click();
  await anna.page.getByText('You reported Ben. Thank you.').waitFor();
  for (const { page } of [anna, ben]) {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

/** A player's spectator link leads to a private table, without taking a seat. */
async function watchedByLink(anna, dora) {
  await anna.page.getByRole('button', { name: 'Menu' }).click();
  await anna.page.getByRole('menuitem', { name: 'Link for watching' }).click();
  const link = await anna.page.getByRole('textbox', { name: 'Link for watching' }).inputValue();
  expect(/\/watch\/\d+\/[A-Z0-9]{6}$/.test(link), `no link: ${link}`).toBeTruthy();
  await picture(anna.page, 'watch-link');
  await anna.page.keyboard.press('Escape');
  await dora.page.goto(link);
  await dora.page.locator('[data-seat]').getByText('Anna').waitFor();
  expect(await dora.page.locator('.hand').count(), 'hands that a spectator sees').toBe(0);
  await dora.page.goto(link.replace(/[A-Z0-9]{6}$/, 'WRONG7'));
  await dora.page.getByText('You can’t watch this table').waitFor();
  await picture(dora.page, 'watch-refused');
}

/** A table whose other seat is a bot's: a player who comes before the deal gets that seat. */
async function inPlaceOfABot(anna, ben, url) {
  await anna.page.goto(url);
  const opened = await anna.page.evaluate(async () => {
    const { access } = JSON.parse(localStorage.getItem('rummyd:session'));
    const headers = {
      Authorization: `Bearer ${access}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': crypto.randomUUID(),
    };
    const body = JSON.stringify({ variant: 'treff', seats: 2, bots: 1, visibility: 'public' });
    return (await fetch('/v1/tables', { method: 'POST', headers, body })).json();
  });
  await ben.page.goto(url);
  const seat = ben.page
    .locator(`[data-table="${opened.table_id}"]`)
    .getByRole('button', { name: 'Sit down' });
  await ben.page.getByText('1 player and 1 bot, a bot makes room for you').waitFor();
  await picture(ben.page, 'tables-seat');
  await seat.click();
  await ben.page.waitForURL(/\/table\/\d+$/);
  await anna.page.goto(`${url}/table/${opened.table_id}`);
  await Promise.all([dealt(anna.page), dealt(ben.page)]);
  await expect(anna.page.locator('[data-seat]').getByText('Ben'), 'Ben in the place of the bot').toHaveCount(
    1,
  );
}

async function says(anna, ben) {
  await anna.page.getByRole('button', { name: 'Chat' }).click();
  await anna.page.getByLabel('Say something to the table').fill('Good evening, Ben!');
  await anna.page.getByRole('button', { name: 'Send', exact: true }).click();
  const heard = ben.page.locator('[data-seat]').getByText('Good evening, Ben!');
  expect((await heard.boundingBox()).height < 60, 'a word of it is broken').toBeTruthy();
  await ben.page.getByRole('button', { name: 'Chat, 1 new' }).click();
  await ben.page.getByRole('button', { name: 'Thanks!' }).click();
  await anna.page.getByLabel('Messages', { exact: true }).getByText('Thanks!').waitFor();
  await picture(anna.page, 'talk');
  const [talk, pile] = [
    await anna.page.getByRole('dialog').boundingBox(),
    await anna.page.locator('.discard').boundingBox(),
  ];
  expect(pile.x + pile.width < talk.x, 'the talk covers the piles').toBeTruthy();
  for (const { page } of [anna, ben]) {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

/** The nicknames of players who had a turn, from the record of the game. */
async function movers(platform, page) {
  const id = new URL(page.url()).pathname.split('/')[2];
  const record = await until(
    () =>
      platform
        .sql(`SELECT record FROM hands WHERE table_id = ${id} AND record IS NOT NULL`)
        .map(([line]) => line)
        .join('\n'),
    'the game has no record',
  );
  const seats = new Set([...record.matchAll(/^\d+\. (\d) /gm)].map(([, seat]) => seat));
  const names = [...record.matchAll(/^\[Name(\d) "(.*)"\]$/gm)];
  return names
    .filter(([, seat]) => seats.has(seat))
    .map(([, , name]) => name)
    .sort();
}

/** Every player who had a turn played it in the page. In 1 of 500 deals a hand of four ends before all of
 * them have had one. */
async function allMoved(platform, page, players) {
  const moved = Object.entries(players).filter(([, player]) => player.turns > 0);
  expect(
    moved.map(([name]) => name).sort(),
    `turns played in the pages: ${Object.values(players).map((player) => player.turns)}`,
  ).toEqual(await movers(platform, page));
}

async function playEachOther(platform, anna, ben) {
  const first = new SessionPlayer(anna.page);
  const second = new SessionPlayer(ben.page);
  const turn = LONG
    ? second.turn.bind(second)
    : () => (second.turns < CUT_TURN ? drawAndDiscard : dropNow)(second);
  second[LONG ? 'turn' : 'indianTurn'] = async () => {
    if (second.turns === CUT_TURN) second.page = ben.page = await cutOff(ben.context, ben.page);
    await turn();
  };
  if (!LONG) first.indianTurn = () => drawAndDiscard(first);
  await Promise.all([first.play(), second.play()]);
  await allMoved(platform, anna.page, { Anna: first, Ben: second });
}

async function again(anna, ben) {
  const old = new URL(anna.page.url()).pathname;
  await anna.page.getByRole('button', { name: 'Play again' }).click();
  await anna.page.waitForURL((url) => url.pathname !== old && url.pathname.startsWith('/table/'));
  await ben.page.getByText('Anna wants to play again').waitFor();
  await picture(ben.page, 'again');
  await ben.page.getByRole('button', { name: 'Play again' }).click();
  await until(() => ben.page.url() === anna.page.url(), 'not at the same table');
  await Promise.all([dealt(anna.page), dealt(ben.page)]);
}

/** Two more players join by the link. Each of the four sees all players, only their own hand, and the same
 * end. */
async function four(browser, platform, anna, ben, dora) {
  await openForPeople(anna.page, platform.url, 'treff', { players: 4 });
  const link = await anna.page.getByLabel('Link to this table').inputValue();
  const cem = await person(browser, platform.url, 'Cem', LAPTOP);
  const people = [anna, ben, cem, dora];
  for (const { page } of people.slice(1)) {
    await page.goto(link);
    await page.getByRole('button', { name: 'Sit down' }).click();
  }
  await Promise.all(people.map(({ page }) => dealt(page)));
  for (const { page } of people) {
    expect(page.url(), 'the table').toEqual(anna.page.url());
    await expect(page.locator('[data-seat]'), 'seats').toHaveCount(4);
  }
  const hands = await Promise.all(
    people.map(async ({ page }) => (await new SessionPlayer(page).board()).hand),
  );
  expect(new Set(hands.flat()).size, 'cards, each in one hand').toEqual(hands.flat().length);
  await picture(ben.page, 'four');
  const players = people.map(({ page }) => new SessionPlayer(page));
  await Promise.all(players.map((player) => player.play()));
  await allMoved(platform, anna.page, Object.fromEntries(people.map(({ nick }, i) => [nick, players[i]])));
  const ends = await Promise.all(
    people.map(({ page }) =>
      page
        .locator('ol.scores li')
        .evaluateAll((all) => all.map((el) => /−?\d+\s+points?/.exec(el.innerText)?.[0])),
    ),
  );
  expect(ends[0].filter(Boolean).length, 'places with points').toBe(4);
  for (const end of ends) expect(end, 'the points at the end').toEqual(ends[0]);
  await closeClean(cem);
}

const RESTARTS = 'The server is restarting. Your game will continue in a moment';

/** The server is stopped in the middle of a hand and started again: both pages continue without a reload. */
async function restarted(platform, anna, ben) {
  const people = [anna, ben].map(({ page }) => ({ page, player: new SessionPlayer(page), url: page.url() }));
  const onTurn = async () => {
    for (const one of people) if ((await one.player.moment())?.what === 'turn') return one;
    return null;
  };
  const moves = ({ player }) => (LONG ? player.turn() : drawAndDiscard(player));
  await moves(await until(onTurn, 'no player is to move'));
  for (const one of people) {
    await one.page.evaluate(() => (window.sameDocument = true));
    one.hand = (await one.player.board()).hand;
  }
  expect(await platform.stopServer(), 'the exit code of the server').toBe(0);
  for (const { page } of people) {
    await page.waitForSelector('[data-connection="restarting"]');
    await page.getByText(RESTARTS).waitFor();
  }
  await picture(anna.page, 'restarting');
  await platform.startServer();
  for (const one of people) {
    await one.page.waitForSelector('[data-connection="open"]').catch(async (error) => {
      const pill = one.page.locator('[data-connection]');
      throw new Error(
        `${await pill.getAttribute('data-connection', { timeout: 1000 })}, not open: ${error.message}\n${platform.log()}`,
      );
    });
    expect((await one.player.board()).hand, 'the hand after the restart').toEqual(one.hand);
    expect(
      [one.page.url(), await one.page.evaluate(() => window.sameDocument)],
      'the page after the restart',
    ).toEqual([one.url, true]);
    expect(await one.page.getByText(RESTARTS).count(), 'words of a restart that is over').toBe(0);
  }
  const mover = await until(onTurn, 'no player is to move after the restart');
  await moves(mover);
  // No player is to move if this turn has ended the hand.
  await until(async () => (await onTurn()) !== mover, 'the turn did not end');
}

async function watched(platform, anna, dora) {
  await openForPeople(anna.page, platform.url, 'treff', { bots: 1, everybody: true });
  await dealt(anna.page);
  const id = new URL(anna.page.url()).pathname.split('/')[2];
  await dora.page.goto(platform.url);
  const link = dora.page.locator(`[data-watch="${id}"]`).getByRole('link', { name: 'Watch' });
  await link.waitFor();
  await picture(dora.page, 'tables-watch');
  await link.click();
  await dora.page.locator('[data-seat]').getByText('Anna').waitFor();
  await picture(dora.page, 'watching');
  await expect(dora.page.locator('[data-seat]'), 'seats').toHaveCount(2);
  expect(await dora.page.locator('.hand').count(), 'hands that a spectator sees').toBe(0);
  await anna.page.getByText('1 watching').waitFor();
}

test.describe.configure({ mode: 'serial' });

let anna;
let ben;
let dora;

test.beforeAll(async ({ browser, platform }) => {
  anna = await person(browser, platform.url, 'Anna', LAPTOP);
  ben = await person(browser, platform.url, 'Ben', LAPTOP);
  dora = await person(browser, platform.url, 'Dora', LAPTOP);
});

test.afterAll(() => closeClean(anna, ben, dora));

test('a private table is entered by its link', async ({ platform }) => {
  await picture(anna.page, 'rooms');
  await openForPeople(anna.page, platform.url, OF_TWO.variant);
  const link = await anna.page.getByLabel('Link to this table').inputValue();
  expect(/\/join\/[A-Z0-9]{6}$/.test(link), `no link: ${link}`).toBeTruthy();
  await picture(anna.page, 'waiting');
  await expect(
    anna.page.getByText(OF_TWO.name, { exact: true }),
    'the name of the game while its table fills',
  ).toHaveCount(1);
  await ben.page.goto(link);
  await ben.page.getByRole('heading', { name: 'Anna invites you to play' }).waitFor();
  await ben.page.getByText('One seat is free.').waitFor();
  await picture(ben.page, 'join');
  await ben.page.getByRole('button', { name: 'Sit down' }).click();
  await Promise.all([dealt(anna.page), dealt(ben.page)]);
  expect(ben.page.url(), 'the table of the second').toEqual(anna.page.url());
});

test('chat reaches the other player', () => says(anna, ben));

test('a player is muted, unmuted, and reported', () => mutesAndReports(anna, ben));

test('a private table is watched by its link', () => watchedByLink(anna, dora));

test('two players finish a game, one after a reconnect', ({ platform }) =>
  playEachOther(platform, anna, ben));

test('they play again', () => again(anna, ben));

test('a restart of the server in the middle of a hand is lived through by both pages', ({ platform }) =>
  restarted(platform, anna, ben));

test('a person takes the place of a bot', ({ platform }) => inPlaceOfABot(anna, ben, platform.url));

if (LONG)
  test('four players finish a game', ({ browser, platform }) => four(browser, platform, anna, ben, dora));

test('a public table is found in the lobby and watched', ({ platform }) => watched(platform, anna, dora));

test('the pages had no error', () =>
  expect(
    [anna, ben, dora].flatMap(({ errors }) => errors),
    'errors',
  ).toEqual([]));
