/* Layout of the table at every width: nothing is covered, clipped, or out of reach. */
import {
  atTable,
  card,
  cutTexts,
  hiddenCards,
  hiddenMelds,
  largeText,
  makeGroups,
  noSideways,
  notSeen,
  onPage,
  PHONE,
  settled,
  SIZES,
} from '../lib/board.mjs';
import { turnTo } from '../lib/browser.mjs';
import { check, counted, equal, short } from '../lib/harness.mjs';
import { test } from '../lib/screens.mjs';
import { MOMENTS, talk } from '../lib/moments.mjs';
import { indian } from '../lib/scenes.mjs';
import { scene } from '../lib/stage.mjs';

/** The narrowest, the lowest and a wide one. */
const WINDOWS = short(SIZES, 'a phone of 320', 'a small phone held sideways', 'a laptop of 1366');

for (const [width, height] of [
  [1366, 650],
  [1280, 600],
])
  test(`all melds of four players are seen whole at ${width}×${height}`, () =>
    atTable(async (page) => equal(await hiddenMelds(page), [], 'melds that are cut off'), {
      options: { viewport: { width, height } },
    }));

function sizes() {
  for (const [name, options] of Object.entries(WINDOWS)) {
    test(`the table fits on ${name}`, () =>
      atTable(
        async (page) => {
          await noSideways(page);
          equal(await hiddenCards(page), [], 'cards out of reach');
          for (const pile of ['.stock', '.discard'])
            check(await page.locator(pile).isVisible(), `${pile} is not seen`);
          equal(await notSeen(page, '.pile, .buttons .btn, [data-seat], .prompt'), [], 'what is not seen');
          equal(await cutTexts(page), [], 'texts that are cut');
          await page.click(card('5S1'), { position: { x: 6, y: 16 } });
          for (const name of ['6S1', '7S2', '8S1'])
            await page.click(card(name), { position: { x: 6, y: 16 } });
          equal(await notSeen(page, '.buttons .btn'), [], 'moves that are not seen');
          const small = await page.locator('.table button:visible').evaluateAll((all) =>
            all
              .filter((el) => !el.matches('.meld'))
              .flatMap((el) => {
                const { width, height } = el.getBoundingClientRect();
                return width < 24 || height < 24 ? [`${el.innerText} ${width} x ${height}`] : [];
              }),
          );
          equal(small, [], 'what a finger does not hit');
        },
        { options },
      ));
    test(`a daily deal’s table names its day on ${name}`, () => {
      const snapshot = scene({
        table: { ...scene().table, room: null, stake: 0, reward: 0, same_deal: true, daily: true },
      });
      return atTable(
        async (page) => {
          equal(await page.getByRole('heading', { level: 1 }).innerText(), 'Daily deal', 'heading');
          if (options.viewport.width > 320)
            equal(await page.locator('.about-game').innerText(), 'Rummy 51', 'the game');
          equal(await cutTexts(page), [], 'texts that are cut');
        },
        { options, snapshot },
      );
    });
    test(`the lobby fits on ${name}`, () =>
      onPage(options, scene(), async (page) => {
        for (const path of ['/', '/wallet', '/games']) {
          await turnTo(page, path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await noSideways(page);
        }
      }));
  }
}

/** The next actions after a game are in view, below any result. */
function results() {
  for (const [name, options] of Object.entries(WINDOWS))
    test(`a rematch is one tap away on ${name}`, () =>
      atTable(
        async (page, stage) => {
          await MOMENTS.end.make(page, stage);
          equal(await notSeen(page, 'dialog[open] .btn'), [], 'buttons that are not seen');
          check(await page.getByRole('button', { name: 'Play again' }).isVisible(), 'no rematch is offered');
        },
        { options, snapshot: MOMENTS.end.snapshot },
      ));
}

/** While others play, and with a joker that must be used: few moves with long names. */
function otherMoves() {
  for (const [name, options] of Object.entries(WINDOWS))
    for (const moment of ['others', 'owed'])
      test(`moves have room for their words on ${name}: ${moment}`, () =>
        atTable(
          async (page) => {
            await noSideways(page);
            equal(await notSeen(page, '.buttons .btn'), [], 'moves that are not seen');
            const tight = await page
              .locator('.buttons .btn')
              .evaluateAll((all) =>
                all.filter((el) => el.scrollWidth > el.clientWidth).map((el) => el.innerText),
              );
            equal(tight, [], 'moves that are narrower than their words');
          },
          { options, snapshot: MOMENTS[moment].snapshot },
        ));
}

/** Late in a long game: two dozen melds. */
function crowded() {
  const melds = [];
  for (let i = 0; i < 24; i++) {
    const suits = i % 2 ? 'CSH' : 'SHD';
    const rank = 'A23456789TJQK'[i % 13];
    melds.push({
      ...scene().melds[1],
      id: 50 + i,
      owner: i % 4,
      low: i % 13,
      cards: [...suits].map((s) => `${rank}${s}${i < 13 ? 1 : 2}`),
    });
  }
  return scene({ melds, hand: ['X1', 'X2', 'X3'], discard: ['KD1'] });
}

function crowd() {
  for (const [name, options] of Object.entries(WINDOWS))
    test(`two dozen melds find their places on ${name}`, () =>
      atTable(
        async (page) => {
          await noSideways(page);
          for (const id of [50, 61, 62, 73]) {
            const meld = page.locator(`[data-meld="${id}"]`);
            await meld.scrollIntoViewIfNeeded();
            const { x, y, height } = await meld.boundingBox();
            const hit = await page.evaluate(
              ([px, py]) => document.elementFromPoint(px, py)?.closest('[data-meld]')?.dataset.meld,
              [x + 8, y + height / 2],
            );
            equal(hit, String(id), 'the meld under the pointer');
          }
          const pile = await page.locator('.discard').boundingBox();
          const hit = await page.evaluate(
            ([x, y]) => document.elementFromPoint(x, y)?.closest('.discard') !== null,
            [pile.x + pile.width / 2, pile.y + pile.height / 2],
          );
          check(hit, 'the discard pile is covered');
        },
        { options, snapshot: crowded() },
      ));
}

/** Six players, one of them out of the deal: nothing is covered or overflows. */
function crowdOfPeople() {
  for (const [name, options] of Object.entries(WINDOWS))
    test(`six players of an Indian game fit on ${name}`, () =>
      atTable(
        async (page) => {
          await makeGroups(page);
          await noSideways(page);
          equal(await hiddenCards(page), [], 'cards out of reach');
          await counted(page.locator('[data-seat]'), 6, 'seats');
          const outside = await page.evaluate(() =>
            [...document.querySelectorAll('[data-seat], .pile')].flatMap((el) => {
              const r = el.getBoundingClientRect();
              const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
              /* Cards of a pile are rotated, and messages at a seat need space. */
              const cut = el.matches('[data-seat]') && el.scrollWidth > el.clientWidth + 1;
              const inside = r.x >= 0 && r.right <= innerWidth && !cut;
              return inside && el.contains(hit) ? [] : [el.className];
            }),
          );
          equal(outside, [], 'seats and piles that are covered or cut');
        },
        { options, snapshot: indian() },
      ));
}

/** With the text size doubled in the browser's settings, cards and moves stay visible, and the rest
 * scrolls. */
function largeLetters() {
  const sizes = {
    'a phone of 360': PHONE,
    'a laptop of 1366': SIZES['a laptop of 1366'],
    'a tablet of 768': SIZES['a tablet of 768'],
  };
  for (const [name, options] of Object.entries(sizes))
    test(`text twice as large fits on ${name}`, () =>
      atTable(
        async (page) => {
          await largeText(page);
          await page.reload();
          await page.waitForSelector(card('AH1'));
          await settled(page);
          equal(
            await page.evaluate(() => getComputedStyle(document.documentElement).fontSize),
            '32px',
            'the size of the text',
          );
          await noSideways(page);
          equal(await hiddenCards(page), [], 'cards out of reach');
          equal(await notSeen(page, '.buttons .btn'), [], 'moves that are not seen');
          equal(await cutTexts(page), [], 'texts that are cut');
          await page.locator('.discard').scrollIntoViewIfNeeded();
          equal(await notSeen(page, '.discard'), [], 'piles that are out of reach');
          await largeText(page, 16);
        },
        { options },
      ));
}

/** Messages cover neither piles nor melds, and the panel is next to the table. */
function talking() {
  for (const [name, options] of Object.entries(WINDOWS))
    test(`messages do not cover the table on ${name}`, () =>
      atTable(
        async (page, stage) => {
          await talk(page, stage);
          const covered = await page.evaluate(() => {
            const shown = (el) => {
              const { x, y, right, bottom } = el.getBoundingClientRect();
              return {
                x,
                y,
                right,
                bottom: Math.min(bottom, el.closest('.board')?.getBoundingClientRect().bottom ?? bottom),
              };
            };
            const boxes = (selector) => [...document.querySelectorAll(selector)].map(shown);
            const meets = (a, b) =>
              a.x < b.right - 1 && b.x < a.right - 1 && a.y < b.bottom - 1 && b.y < a.bottom - 1;
            return boxes('.said-bubble').flatMap((a) => boxes('.pile, .meld').filter((b) => meets(a, b)))
              .length;
          });
          equal(covered, 0, 'piles and melds covered by messages');
          await page.getByRole('button', { name: /^Chat/ }).click();
          await page.getByRole('dialog', { name: 'Chat' }).waitFor();
          await settled(page);
          await noSideways(page);
          equal(await hiddenCards(page), [], 'cards out of reach');
          equal(await notSeen(page, '.buttons .btn, .talk form, .talk .said'), [], 'what is not seen');
          await page.locator('.discard').scrollIntoViewIfNeeded();
          equal(await notSeen(page, '.pile'), [], 'piles out of reach');
          await page.click(card('2D1'), { position: { x: 6, y: 16 } });
          await page.keyboard.press('t');
          equal(
            stage.commands('discard').at(-1)?.d,
            { cards: ['2D1'] },
            'what is thrown while the panel is open',
          );
          await page.getByRole('dialog', { name: 'Chat' }).press('Escape');
          await page.getByRole('dialog', { name: 'Chat' }).waitFor({ state: 'detached' });
        },
        { options },
      ));
}

sizes();
largeLetters();
talking();
otherMoves();
crowd();
crowdOfPeople();
results();
