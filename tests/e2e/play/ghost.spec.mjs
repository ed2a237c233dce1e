/* A finished game's deal replayed in one of its seats, with real components: from a player's page and from
 * its address, signed out, across a reload, up to the comparison of both lines of play. E2E_SHOTS is the
 * folder for screenshots. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { violations } from '../lib/axe.mjs';
import { keepSession, openPage } from '../lib/browser.mjs';
import { gameOf, simulated } from '../lib/games.mjs';
import { languages } from '../lib/harness.mjs';
import { closeClean, expect, fitsWidth, test } from '../lib/test.mjs';
import { textsOf } from '../lib/texts.mjs';

const SIZES = {
  phone: { width: 360, height: 740 },
  sideways: { width: 844, height: 390 },
  laptop: { width: 1366, height: 650 },
};
const SEAT = 1;
const INSIDE = ['draw', 'play', 'group'];
const OWN_CARDS = '.mine .hand [data-card]';
const texts = { en: textsOf('en'), de: textsOf('de') };

const record = simulated('rummy51', 4);
let engine;
let id;
let opened;
let stranger;
let jo;

/** The stored state of a browser: the game that bots played from the same deal, up to a last card that
 * belongs to another player. */
function begun(level) {
  const replay = engine.record.replay(record, 0);
  const game = replay.game.copy();
  const log = [];
  for (let view = game.view(); INSIDE.includes(view.phase); view = game.view()) {
    const seat = view.to_move ?? view.to_group[0];
    const move = game.botMove(seat, seat === SEAT ? level : 'medium');
    game.apply(seat, move);
    log.push({ seat, move });
  }
  const won = game.view().winner === SEAT;
  game.close();
  replay.close();
  return { log: won ? null : log.slice(0, -1), game: id, seat: SEAT, hand: 1, before: [] };
}

const signIn = (context, { access_token: access, refresh_token: refresh }) =>
  keepSession(context, { access, renewAt: Date.now() + 1e9, refresh });
const shot = (page, name) =>
  process.env.E2E_SHOTS && page.screenshot({ path: join(process.env.E2E_SHOTS, `ghost-${name}.png`) });
const cards = (page) => page.locator(OWN_CARDS).evaluateAll((all) => all.map((el) => el.dataset.card).sort());
const fits = async (page, what) => {
  await fitsWidth(page, what);
  expect(await violations(page), `${what}: axe`).toEqual([]);
};

test.describe.configure({ mode: 'serial' });

test.beforeAll(async ({ browser, platform }) => {
  const { load } = await import(createRequire(import.meta.url).resolve('@rummyd/engine'));
  engine = await load(readFileSync(new URL('../../../wasm/dist/engine.wasm', import.meta.url)));
  const game = await gameOf(platform, ['Hedwig', 'Milan'], record);
  ({ id } = game);
  jo = game.other;
  opened = await openPage(browser, { viewport: SIZES.laptop, reducedMotion: 'reduce' });
  await signIn(opened.context, game.guest);
  stranger = await openPage(browser, { viewport: SIZES.phone, reducedMotion: 'reduce' });
});
test.afterAll(() => closeClean(opened, stranger));

test('a player’s page offers the cards they held, and the game itself its own again', async ({
  platform,
}) => {
  const { page } = opened;
  await page.goto(`${platform.url}/players/${jo.player.id}`);
  await page.getByRole('link', { name: texts.en['page.ghost'] }).click();
  await page.getByText('You get Milan’s cards.').waitFor();
  await expect(page.getByRole('radio', { name: /^Milan/ })).toBeChecked();
  await page.goto(`${platform.url}/games/${id}`);
  await page.getByRole('link', { name: texts.en['ghost.again'] }).click();
  await page.getByRole('heading', { level: 1, name: texts.en['ghost.again'] }).waitFor();
  await expect(page.getByRole('radio', { name: /^Hedwig/ })).toBeChecked();
  await page.goto(`${platform.url}/games/${id}/replay?seat=2`);
  await page.getByRole('link', { name: texts.en['page.ghost'] }).click();
  await expect(page.getByRole('radio', { name: /^Otto/ })).toBeChecked();
});

test('a stranger plays the deal by its link, and continues after a reload', async ({ platform }) => {
  const { page } = stranger;
  await page.goto(`${platform.url}/games/${id}/play?seat=${SEAT}`);
  for (const [size, viewport] of Object.entries(SIZES)) {
    await page.setViewportSize(viewport);
    await page.getByRole('radio', { name: /^Milan/ }).waitFor({ state: 'attached' });
    await shot(page, `start-${size}`);
    await fits(page, `the start, ${size}`);
  }
  await page.setViewportSize(SIZES.phone);
  await page.getByRole('button', { name: 'Start' }).click();
  await page.locator(OWN_CARDS).first().waitFor();
  const dealt = [...engine.record.parse(record)[0].seats[SEAT].cards].sort();
  await expect.poll(() => cards(page), 'the cards of the record').toEqual(dealt);
  await shot(page, 'table-phone');
});

for (const language of languages(['en', 'de'], 'de'))
  test(`afterward both lines are compared, in ${language}`, async ({ platform }) => {
    const { page } = stranger;
    const say = texts[language];
    const kept = begun('strong').log ? begun('strong') : begun('easy');
    expect(kept.log, 'a line that another player ends').not.toBeNull();
    await page.evaluate(
      ([tag, ghost]) => {
        localStorage.setItem('rummyd:language', JSON.stringify(tag));
        localStorage.setItem('rummyd:ghost', JSON.stringify(ghost));
      },
      [language, kept],
    );
    await page.goto(`${platform.url}/games/${id}/play?seat=${SEAT}`);
    await page.getByRole('button', { name: say['practice.go_on'] }).click();
    const lines = page.locator('[data-ghost]');
    await lines.waitFor();
    await expect(lines.locator('polyline'), 'lines of the chart').toHaveCount(2);
    await expect(lines.getByRole('row', { name: new RegExp(say['analysis.luck']) })).toBeVisible();
    await expect(lines.locator('dd'), 'both decisions').toHaveCount(2);
    const links = lines.getByRole('link');
    await expect(links).toHaveCount(2);
    expect(await links.first().getAttribute('href')).toMatch(/^\/replay\?turn=\d+#r=/);
    expect(await links.last().getAttribute('href')).toMatch(new RegExp(`^/games/${id}/replay\\?turn=\\d+$`));
    expect(await lines.getByRole('textbox').inputValue()).toBe(
      `${platform.url}/games/${id}/play?seat=${SEAT}`,
    );
    for (const [size, viewport] of Object.entries(SIZES)) {
      await page.setViewportSize(viewport);
      await lines.getByRole('heading').first().scrollIntoViewIfNeeded();
      await shot(page, `compared-${size}-${language}`);
      await lines.getByRole('textbox').scrollIntoViewIfNeeded();
      await shot(page, `parted-${size}-${language}`);
      await fits(page, `the comparison, ${size}`);
    }
    await page.setViewportSize(SIZES.phone);
    const [own] = await Promise.all([page.waitForEvent('popup'), links.first().click()]);
    await own.locator('.controls .count').waitFor();
    await expect
      .poll(() => own.locator('.seal').getAttribute('data-holds'), 'the own record holds')
      .toBe('true');
    await own.close();
    await page.getByRole('button', { name: say['result.again'] }).click();
    await page.locator(OWN_CARDS).first().waitFor();
    await expect(lines, 'a comparison').toHaveCount(0);
  });

test('an unknown game cannot be played', async ({ platform }) => {
  await stranger.page.goto(`${platform.url}/games/999999999/play`);
  await stranger.page.getByRole('alert').waitFor();
});
