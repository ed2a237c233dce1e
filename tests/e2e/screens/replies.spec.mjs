/* How the page handles the server's replies, and the player's display settings. */
import { atTable, card, LAPTOP, MOVING } from '../lib/board.mjs';
import { check, equal, until } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { MOMENTS } from '../lib/moments.mjs';

test('a refusal is explained, and the cards are marked', () =>
  atTable(async (page, stage) => {
    stage.answer = (frame) =>
      frame.t === 'meld' &&
      stage.send({
        t: 'nack',
        id: frame.id,
        code: 'not_a_meld',
        cards: ['2D1', '9H2'],
        text: 'No meld, these.',
      });
    for (const name of ['2D1', '9H2', 'JC1']) await page.click(card(name));
    await page.keyboard.press('l');
    await page.getByRole('alert').getByText('These cards are neither a set nor a run.').waitFor();
    equal(await page.locator('.hand .refused').count(), 2, 'marked cards');
  }));
test('after a gap in the events the page resumes from the last known one', () =>
  atTable(async (page, stage) => {
    const urls = [];
    page.on('websocket', () => undefined);
    await page.routeWebSocket(/\/ws\/tables\//, (socket) => {
      urls.push(socket.url());
      stage.connect(socket);
    });
    stage.send({ v: stage.v + 3, t: 'away', seat: 1, d: {} });
    await until(() => urls.length > 0, 'no second socket');
    check(urls[0].includes(`v=${stage.v}`), `resumed with ${urls[0]}`);
    await page.waitForSelector('[data-connection="open"]');
  }));
test('a lost connection is reported and restored', () =>
  atTable(async (page, stage) => {
    const release = stage.holdTickets();
    await stage.socket.close({ code: 4001 });
    await page.waitForSelector(
      '[data-connection="restarting"], [data-connection="connecting"], [data-connection="lost"]',
    );
    release();
    await page.waitForSelector('[data-connection="open"]');
  }));
test('a menu that opens as a dialog closes lets go of the table, however slow the frames are', () =>
  atTable(async (page) => {
    const menu = '.table-bar [data-dropdown-menu-trigger]';
    const frame = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(done)));
    await page.click(menu);
    await page.click('.menu-item[data-shows="keys"]');
    await page.getByRole('dialog').waitFor();
    await page.evaluate(() => {
      const real = window.requestAnimationFrame;
      window.requestAnimationFrame = (draw) => setTimeout(() => real.call(window, draw), 500);
    });
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.focus(menu);
    await page.keyboard.press('Enter');
    await page.getByRole('menu').waitFor();
    await frame();
    await page.keyboard.press('Escape');
    await page.getByRole('menu').waitFor({ state: 'detached' });
    await frame();
    await page.click(card('2D1'));
    await page.waitForSelector(`${card('2D1')}[aria-pressed="true"]`);
  }));
test('a newer window takes over, and this one can take it back', () =>
  atTable(async (page, stage) => {
    await stage.socket.close({ code: 4003 });
    await page.getByRole('button', { name: 'Play here' }).click();
    await page.waitForSelector('[data-connection="open"]');
  }));
test('the tab’s title and icon call a player in another tab when it is their turn', () =>
  atTable(async (page, stage) => {
    const shown = () =>
      page.evaluate(() => [document.title, document.querySelector('link[rel="icon"]').getAttribute('href')]);
    const hide = (hidden) =>
      page.evaluate((to) => {
        Object.defineProperty(document, 'hidden', { value: to, configurable: true });
        document.dispatchEvent(new Event('visibilitychange'));
      }, hidden);
    const is = (what, title, icon) =>
      until(async () => (await shown()).join() === [title, icon].join(), `${what}: not ${title}`);
    const plain = ['Table 917 · Rummy 51', '/icon.svg'];
    const called = ['● Your turn', '/icon-turn.svg'];
    await is('while they look', ...plain);
    await hide(true);
    await is('while they look elsewhere', ...called);
    check((await page.request.get(`${here.origin}/icon-turn.svg`)).ok(), 'no such icon');
    stage.event('turn', 1, { phase: 'draw', round: 6 });
    await is('in the turn of another', ...plain);
    stage.event('turn', 0, { phase: 'draw', round: 7 });
    await is('in their next turn', ...called);
    await hide(false);
    await is('when they look again', ...plain);
  }));
test('a returning player sees what the bot played for them', () =>
  atTable(async (page, stage) => {
    const played = {
      from_v: 201,
      to_v: 203,
      turns: 1,
      time_outs: 1,
      melds: 0,
      lay_offs: 0,
      opening: null,
      thrown: ['KC2'],
    };
    stage.answer = (frame) => {
      if (frame.t !== 'return') return;
      stage.event('returned', 0, {});
      stage.send({
        t: 'played_for_you',
        d: {
          ...played,
          drop_points: null,
          hands: 0,
          points: 0,
          reserve_used_ms: 0,
          reserve_left_ms: 10000,
        },
      });
      stage.ack(frame);
    };
    stage.event('timed_out', 0, { in_a_row: 3 });
    stage.event('away', 0, {});
    stage.event('discarded', 0, { cards: ['KC2'], buried: false });
    await page.getByRole('button', { name: 'I’m back' }).click();
    const note = page.locator('[data-away-note]');
    await note.getByText('Discarded for you: king of clubs.').waitFor();
    equal(await page.getByRole('dialog').count(), 0, 'dialogs over the hand');
    await page.locator('.hand [data-card]').first().click(); // fails if the card is covered
    await note.getByRole('button', { name: 'Close' }).click();
    equal(await note.count(), 0, 'notes that were closed');
  }));
test('moves appear at once with reduced motion', () =>
  atTable(
    async (page, stage) => {
      stage.event('discarded', 0, { cards: ['KC2'], buried: false });
      await page.waitForSelector('.discard [data-card="KC2"]');
      equal(await page.locator('.flights > *').count(), 0, 'cards on their way');
    },
    { options: { ...LAPTOP, ...MOVING, reducedMotion: 'reduce' } },
  ));
test('whoever wins with the lowest hand did not go out', () =>
  atTable(
    async (page, stage) => {
      await MOMENTS['lowest-hand'].make(page, stage);
      const line = await page.locator('.scores li').first().innerText();
      check(/lowest hand/.test(line) && !/went out/.test(line), `it says: ${line}`);
      equal(
        await page.locator('[role=log] p').nth(-2).textContent(),
        'No cards are left to draw: Aurelia Longname has the lowest hand.',
        'what is said',
      );
    },
    { snapshot: MOMENTS['lowest-hand'].snapshot },
  ));
