/* People with each other, each in a browser of their own: a private table by its link, a whole game between two of
 * them and one of four, one cut off and back, talk, mute, report, a rematch, a restart of the server; tables watched by a link and from the lobby; a bot's seat
 * taken. PICTURES names a folder for pictures of all this. */
import { pictures, SIZES } from './lib/browser.mjs';
import { check, counted, equal, test, until } from './lib/harness.mjs';
import { person } from './lib/people.mjs';
import { Platform } from './lib/server.mjs';
import { openOwnTable } from './lib/tables.mjs';
import { SessionPlayer } from './lib/session.mjs';

const CUT_TURN = 3;

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

const dealt = (page) => page.waitForSelector('.hand [data-card]', { timeout: 20_000 });

/** Cut off in the middle of the game: the page is gone, and comes back to the same hand. */
async function cutOff(context, page) {
  const cards = (p) => p.evaluate(() => [...document.querySelectorAll('.hand [data-card]')].map((el) => el.dataset.card).sort().join());
  const [address, before] = [page.url(), await cards(page)];
  await page.close();
  const back = await context.newPage();
  await back.goto(address);
  await dealt(back);
  equal(await cards(back), before, 'the hand after coming back');
  return back;
}

/** Ben is muted and heard again, and reported; the panel stays open. */
async function mutesAndReports(anna, ben) {
  await anna.page.getByRole('button', { name: 'Chat' }).click();
  await anna.page.getByText('Mute or report').click();
  await anna.page.getByRole('button', { name: 'Mute', exact: true }).click();
  await anna.page.getByText('hear from Ben any more').waitFor();
  await picture(anna.page, 'talk-muted');
  await ben.page.getByRole('button', { name: 'Chat' }).click();
  await ben.page.getByLabel('Say something to the table').fill('Can you hear me?');
  await ben.page.getByRole('button', { name: 'Send', exact: true }).click();
  await ben.page.getByLabel('Messages', { exact: true }).getByText('Can you hear me?').waitFor();
  await anna.page.getByRole('button', { name: 'Unmute' }).click();
  await anna.page.getByText('You’ll hear from Ben again.').waitFor();
  await ben.page.getByRole('button', { name: 'Hello!' }).click();
  await anna.page.getByLabel('Messages', { exact: true }).getByText('Hello!').waitFor();
  equal(await anna.page.getByLabel('Messages', { exact: true }).getByText('Can you hear me?').count(), 0, 'what a muted one said');
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

/** The link that one who plays gives away leads to a private table without a seat. */
async function watchedByLink(browser, platform, anna) {
  await anna.page.getByRole('button', { name: 'Menu' }).click();
  await anna.page.getByRole('menuitem', { name: 'Link for watching' }).click();
  const link = await anna.page.getByRole('textbox', { name: 'Link for watching' }).inputValue();
  check(/\/watch\/\d+\/[A-Z0-9]{6}$/.test(link), `no link: ${link}`);
  await picture(anna.page, 'watch-link');
  await anna.page.keyboard.press('Escape');
  const dora = await person(browser, platform.url, 'Dora', LAPTOP);
  await dora.page.goto(link);
  await dora.page.locator('[data-seat]').getByText('Anna').waitFor();
  equal(await dora.page.locator('.hand').count(), 0, 'hands that a spectator sees');
  await dora.page.goto(link.replace(/[A-Z0-9]{6}$/, 'WRONG7'));
  await dora.page.getByText('You can’t watch this table').waitFor();
  await picture(dora.page, 'watch-refused');
  equal(dora.errors, [], 'errors of the page');
  await dora.context.close();
}

/** A table whose other seat is a bot's: who comes before the deal has that seat. */
async function inPlaceOfABot(anna, ben, url) {
  await anna.page.goto(url);
  const opened = await anna.page.evaluate(async () => {
    const { access } = JSON.parse(localStorage.getItem('rummyd:session'));
    const headers = { Authorization: `Bearer ${access}`, 'Content-Type': 'application/json', 'Idempotency-Key': crypto.randomUUID() };
    const body = JSON.stringify({ variant: 'treff', seats: 2, bots: 1, visibility: 'public' });
    return (await fetch('/v1/tables', { method: 'POST', headers, body })).json();
  });
  await ben.page.goto(url);
  const seat = ben.page.locator(`[data-table="${opened.table_id}"]`).getByRole('button', { name: 'Sit down' });
  await ben.page.getByText('1 player and 1 bot, a bot makes room for you').waitFor();
  await picture(ben.page, 'tables-seat');
  await seat.click();
  await ben.page.waitForURL(/\/table\/\d+$/);
  await anna.page.goto(`${url}/table/${opened.table_id}`);
  await Promise.all([dealt(anna.page), dealt(ben.page)]);
  await counted(anna.page.locator('[data-seat]').getByText('Ben'), 1, 'Ben in the place of the bot');
}

async function says(anna, ben) {
  await anna.page.getByRole('button', { name: 'Chat' }).click();
  await anna.page.getByLabel('Say something to the table').fill('Good evening, Ben!');
  await anna.page.getByRole('button', { name: 'Send', exact: true }).click();
  const heard = ben.page.locator('[data-seat]').getByText('Good evening, Ben!');
  check((await heard.boundingBox()).height < 60, 'a word of it is broken');
  await ben.page.getByRole('button', { name: 'Chat, 1 new' }).click();
  await ben.page.getByRole('button', { name: 'Thanks!' }).click();
  await anna.page.getByLabel('Messages', { exact: true }).getByText('Thanks!').waitFor();
  await picture(anna.page, 'talk');
  const [talk, pile] = [await anna.page.getByRole('dialog').boundingBox(), await anna.page.locator('.discard').boundingBox()];
  check(pile.x + pile.width < talk.x, 'the talk covers the piles');
  for (const { page } of [anna, ben]) {
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
}

async function playEachOther(anna, ben) {
  const first = new SessionPlayer(anna.page);
  const second = new SessionPlayer(ben.page);
  const cut = second.turn.bind(second);
  second.turn = async () => {
    if (second.turns === CUT_TURN) second.page = ben.page = await cutOff(ben.context, ben.page);
    await cut();
  };
  await Promise.all([first.play(), second.play()]);
  check(second.turns > 0, 'Ben never played');
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

/** Two more come by the link; each of the four sees all of them, their own hand alone, and the same end. */
async function four(browser, platform, anna, ben) {
  await openForPeople(anna.page, platform.url, 'treff', { players: 4 });
  const link = await anna.page.getByLabel('Link to this table').inputValue();
  const people = [anna, ben, await person(browser, platform.url, 'Cem', LAPTOP), await person(browser, platform.url, 'Dana', LAPTOP)];
  for (const { page } of people.slice(1)) {
    await page.goto(link);
    await page.getByRole('button', { name: 'Sit down' }).click();
  }
  await Promise.all(people.map(({ page }) => dealt(page)));
  for (const { page } of people) {
    equal(page.url(), anna.page.url(), 'the table');
    await counted(page.locator('[data-seat]'), 4, 'seats');
  }
  const hands = await Promise.all(people.map(async ({ page }) => (await new SessionPlayer(page).board()).hand));
  equal(new Set(hands.flat()).size, hands.flat().length, 'cards, each in one hand');
  await picture(ben.page, 'four');
  const players = people.map(({ page }) => new SessionPlayer(page));
  await Promise.all(players.map((player) => player.play()));
  players.forEach((player, i) => check(player.turns > 0, `player ${i} never played`));
  const ends = await Promise.all(people.map(({ page }) => page.locator('ol.scores li').evaluateAll((all) => all.map((el) => /−?\d+\s+points?/.exec(el.innerText)?.[0]))));
  equal(ends[0].filter(Boolean).length, 4, 'places with points');
  for (const end of ends) equal(end, ends[0], 'the points at the end');
  equal(people.slice(2).flatMap(({ errors }) => errors), [], 'errors of the pages');
  for (const { context } of people.slice(2)) await context.close();
}

const RESTARTS = 'The server is restarting. Your game will go on in a moment';

/** The server is stopped in the middle of a hand and started again: both pages go on, and nobody has reloaded them. */
async function restarted(platform, anna, ben) {
  const people = [anna, ben].map(({ page }) => ({ page, player: new SessionPlayer(page), url: page.url() }));
  const onTurn = async () => {
    for (const one of people) if ((await one.player.moment())?.what === 'turn') return one;
    return null;
  };
  await (await until(onTurn, 'nobody is to move')).player.turn();
  for (const one of people) {
    await one.page.evaluate(() => (window.sameDocument = true));
    one.hand = (await one.player.board()).hand;
  }
  equal(await platform.stopServer(), 0, 'the exit code of the server');
  for (const { page } of people) {
    await page.waitForSelector('[data-connection="restarting"]');
    await page.getByText(RESTARTS).waitFor();
  }
  await picture(anna.page, 'restarting');
  await platform.startServer();
  for (const one of people) {
    await one.page.waitForSelector('[data-connection="open"]').catch(async (error) => {
      const pill = one.page.locator('[data-connection]');
      throw new Error(`${await pill.getAttribute('data-connection', { timeout: 1000 })}, not open: ${error.message}\n${platform.log()}`);
    });
    equal((await one.player.board()).hand, one.hand, 'the hand after the restart');
    equal([one.page.url(), await one.page.evaluate(() => window.sameDocument)], [one.url, true], 'the page after the restart');
    equal(await one.page.getByText(RESTARTS).count(), 0, 'words of a restart that is over');
  }
  const mover = await until(onTurn, 'nobody is to move after the restart');
  await mover.player.turn();
  await until(async () => ![null, mover].includes(await onTurn()), 'the turn was not passed on');
}

async function watched(browser, platform, anna) {
  await openForPeople(anna.page, platform.url, 'treff', { bots: 1, everybody: true });
  await dealt(anna.page);
  const cara = await person(browser, platform.url, 'Cara', LAPTOP);
  const id = new URL(anna.page.url()).pathname.split('/')[2];
  await cara.page.goto(platform.url);
  const link = cara.page.locator(`[data-watch="${id}"]`).getByRole('link', { name: 'Watch' });
  await link.waitFor();
  await picture(cara.page, 'tables-watch');
  await link.click();
  await cara.page.locator('[data-seat]').getByText('Anna').waitFor();
  await picture(cara.page, 'watching');
  await counted(cara.page.locator('[data-seat]'), 2, 'seats');
  equal(await cara.page.locator('.hand').count(), 0, 'hands that a spectator sees');
  await anna.page.getByText('1 watching').waitFor();
  equal(cara.errors, [], 'errors of the page');
  await cara.context.close();
}

export async function peopleTests(browser) {
  const platform = new Platform();
  try {
    await platform.start();
    const [anna, ben] = [await person(browser, platform.url, 'Anna', LAPTOP), await person(browser, platform.url, 'Ben', LAPTOP)];
    await test('a private table is entered by its link', async () => {
      await picture(anna.page, 'rooms');
      await openForPeople(anna.page, platform.url, 'treff');
      const link = await anna.page.getByLabel('Link to this table').inputValue();
      check(/\/join\/[A-Z0-9]{6}$/.test(link), `no link: ${link}`);
      await picture(anna.page, 'waiting');
      await counted(anna.page.getByText('Treff', { exact: true }), 1, 'the name of the game while its table fills');
      await ben.page.goto(link);
      await ben.page.getByRole('heading', { name: 'Anna invites you to play' }).waitFor();
      await ben.page.getByText('1 of 2 seats taken.').waitFor();
      await picture(ben.page, 'join');
      await ben.page.getByRole('button', { name: 'Sit down' }).click();
      await Promise.all([dealt(anna.page), dealt(ben.page)]);
      equal(ben.page.url(), anna.page.url(), 'the table of the second');
    });
    await test('what one says the other hears', () => says(anna, ben));
    await test('one is muted, heard again and reported', () => mutesAndReports(anna, ben));
    await test('a private table is watched by its link', () => watchedByLink(browser, platform, anna));
    await test('two people play a game to its end, one cut off and back', () => playEachOther(anna, ben));
    await test('they play again', () => again(anna, ben));
    await test('a restart of the server in the middle of a hand is lived through by both pages', () => restarted(platform, anna, ben));
    await test('a person takes the place of a bot', () => inPlaceOfABot(anna, ben, platform.url));
    await test('four people play a game to its end', () => four(browser, platform, anna, ben));
    await test('a public table is found in the lobby and watched', () => watched(browser, platform, anna));
    await test('the pages had no error', async () => equal([anna.errors, ben.errors], [[], []], 'errors'));
    await Promise.all([anna.context.close(), ben.context.close()]);
  } finally {
    await platform.stop();
  }
}
