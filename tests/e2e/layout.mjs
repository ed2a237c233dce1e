/* How the table looks at every width: nothing is covered, cut or out of reach. */
import { atTable, hiddenCards, makeGroups, noSideways, onPage, SIZES } from './lib/board.mjs';
import { check, equal, test } from './lib/harness.mjs';
import { indian } from './lib/scenes.mjs';
import { scene } from './lib/stage.mjs';

async function sizes(browser, origin) {
  for (const [name, options] of Object.entries(SIZES)) {
    await test(`the table fits on ${name}`, () =>
      atTable(
        browser,
        origin,
        async (page) => {
          await noSideways(page);
          equal(await hiddenCards(page), [], 'cards out of reach');
          for (const pile of ['.stock', '.discard']) check(await page.locator(pile).isVisible(), `${pile} is not seen`);
          check(await page.getByRole('button', { name: /Hint/ }).isVisible(), 'the hint button is not seen');
        },
        { options },
      ));
    await test(`the rooms fit on ${name}`, () =>
      onPage(browser, origin, options, scene(), async (page) => {
        for (const path of ['/rooms', '/wallet', '/games']) {
          await page.goto(origin + path);
          await page.getByRole('heading', { level: 1 }).waitFor();
          await noSideways(page);
        }
      }));
  }
}

/** Late in a long game: two dozen melds. */
function crowded() {
  const melds = [];
  for (let i = 0; i < 24; i++) {
    const suits = i % 2 ? 'CSH' : 'SHD';
    const rank = 'A23456789TJQK'[i % 13];
    melds.push({ ...scene().melds[1], id: 50 + i, owner: i % 4, low: i % 13, cards: [...suits].map((s) => `${rank}${s}${i < 13 ? 1 : 2}`) });
  }
  return scene({ melds, hand: ['X1', 'X2', 'X3'], discard: ['KD1'] });
}

async function crowd(browser, origin) {
  for (const [name, options] of Object.entries(SIZES))
    await test(`two dozen melds find their places on ${name}`, () =>
      atTable(
        browser,
        origin,
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
          const hit = await page.evaluate(([x, y]) => document.elementFromPoint(x, y)?.closest('.discard') !== null, [
            pile.x + pile.width / 2,
            pile.y + pile.height / 2,
          ]);
          check(hit, 'the discard pile is covered');
        },
        { options, snapshot: crowded() },
      ));
}

/** Six people, one of them out of the deal: nothing is covered and nothing sticks out. */
async function crowdOfPeople(browser, origin) {
  for (const [name, options] of Object.entries(SIZES))
    await test(`six players of an Indian game fit on ${name}`, () =>
      atTable(
        browser,
        origin,
        async (page) => {
          await makeGroups(page);
          await noSideways(page);
          equal(await hiddenCards(page), [], 'cards out of reach');
          equal(await page.locator('[data-seat]').count(), 6, 'seats');
          const outside = await page.evaluate(() =>
            [...document.querySelectorAll('[data-seat], .pile')].flatMap((el) => {
              const r = el.getBoundingClientRect();
              const hit = document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2);
              /* Cards of a pile lie askew; what a seat says must have room. */
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

export async function layoutTests(browser, origin) {
  await sizes(browser, origin);
  await crowd(browser, origin);
  await crowdOfPeople(browser, origin);
}
