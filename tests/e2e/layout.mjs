/* How the table looks and answers at every width, by mouse, touch and keyboard: the built page on a fixed
 * scene (lib/stage.mjs), no server behind it. */
import { openPage } from './lib/browser.mjs';
import { check, equal, test, until } from './lib/harness.mjs';
import { emptyStock, GROUPS, indian, indianDraw, owed, REST, staged } from './lib/scenes.mjs';
import { scene, Stage } from './lib/stage.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const LAPTOP = { viewport: { width: 1440, height: 900 } };
const SIZES = {
  'a phone of 360': PHONE,
  'a tablet of 768': { viewport: { width: 768, height: 1024 }, hasTouch: true },
  'a laptop of 1366': { viewport: { width: 1366, height: 768 } },
  'a screen of 1920': { viewport: { width: 1920, height: 1080 } },
};
const card = (name) => `.hand [data-card="${name}"]`;

/** Open pages by their options, each with its stage: one test after the other uses them, as a new page would have to
 * fetch and compile everything again. */
const pages = new Map();

/** Work on a page as nobody has used it yet: nothing kept from the test before. One that failed is not used again. */
async function onPage(browser, origin, options, snapshot, work) {
  const key = JSON.stringify(options);
  if (!pages.has(key)) {
    const opened = await openPage(browser, options);
    pages.set(key, { ...opened, stage: await new Stage(opened.page).set() });
  }
  const { context, page, stage, errors } = pages.get(key);
  pages.delete(key);
  try {
    await page.goto(`${origin}/icon.svg`); // nothing of the page runs here
    await page.evaluate(() => localStorage.clear());
    await page.mouse.move(0, 0);
    stage.begin(snapshot);
    await work(page, stage);
    equal(errors, [], 'errors of the page');
    await page.goto(`${origin}/icon.svg`); // a table that nobody looks at would go on turning
    pages.set(key, { context, page, stage, errors });
  } finally {
    if (!pages.has(key)) await context.close();
  }
}

function atTable(browser, origin, work, { options = LAPTOP, snapshot = scene() } = {}) {
  return onPage(browser, origin, options, snapshot, async (page, stage) => {
    await page.goto(`${origin}/table/917`);
    await page.waitForSelector(card(snapshot.hand[0]));
    await settled(page);
    await work(page, stage);
  });
}

const STILL_LOOKS = 5; // a busy machine shows the same picture twice while a card is on its way

/** Until the cards of the hand lie still: they slide to their places. */
async function settled(page) {
  const where = () =>
    page.evaluate(() => {
      const cards = [...document.querySelectorAll('.hand [data-card]')];
      const moving = cards.some((el) => el.getAnimations().some((a) => a.playState === 'running'));
      return moving ? '' : cards.map((el) => Math.round(el.getBoundingClientRect().x)).join();
    });
  let before = '';
  let looks = 0;
  await until(async () => {
    const now = await where();
    looks = now !== '' && now === before ? looks + 1 : 0;
    before = now;
    return looks >= STILL_LOOKS;
  }, 'the hand does not come to rest');
}

async function noSideways(page) {
  /* Not innerWidth: on a phone it grows with what is too wide. */
  const over = await page.evaluate((width) => document.documentElement.scrollWidth - width, page.viewportSize().width);
  check(over <= 0, `the page is ${over} px too wide`);
}

/** Cards of the hand whose visible strip is under something else, or outside of the window. */
function hiddenCards(page) {
  return page.evaluate(() =>
    [...document.querySelectorAll('.hand [data-card]')]
      .filter((el) => {
        const r = el.getBoundingClientRect();
        const hit = document.elementFromPoint(r.x + 9, r.y + 16);
        return r.x < 0 || r.right > innerWidth + 0.5 || r.bottom > innerHeight + 0.5 || hit?.closest('[data-card]') !== el;
      })
      .map((el) => el.dataset.card),
  );
}

const centre = async (page, selector) => {
  const box = await page.locator(selector).first().boundingBox();
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

async function mouseDrag(page, from, to) {
  const a = await page.locator(from).first().boundingBox();
  const b = typeof to === 'string' ? await centre(page, to) : to;
  await page.mouse.move(a.x + 10, a.y + 20);
  await page.mouse.down();
  await page.mouse.move(a.x + 30, a.y - 10, { steps: 3 });
  await page.mouse.move(b.x, b.y, { steps: 6 });
  await page.mouse.up();
}

async function touchDrag(page, from, to) {
  const cdp = await page.context().newCDPSession(page);
  const a = await page.locator(from).first().boundingBox();
  const b = await centre(page, to);
  const start = { x: a.x + 10, y: a.y + 20 };
  const touch = (type, points) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints: points });
  await touch('touchStart', [start]);
  for (let i = 1; i <= 8; i++)
    await touch('touchMove', [{ x: start.x + ((b.x - start.x) * i) / 8, y: start.y + ((b.y - start.y) * i) / 8 }]);
  await touch('touchEnd', []);
}

const lastOf = (stage, type, ms) => until(() => stage.commands(type).at(-1), `no ${type} was sent`, ms);

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

async function makeGroups(page) {
  for (const cards of GROUPS) {
    for (const name of cards) await page.click(card(name), { position: { x: 6, y: 16 } });
    await page.keyboard.press('g');
  }
  await settled(page);
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

async function openings(browser, origin) {
  await test('the opening is summed up against the minimum of the table', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        await page.getByText('24 of 40 to open').waitFor();
        const meter = page.getByRole('meter');
        equal([await meter.getAttribute('aria-valuenow'), await meter.getAttribute('aria-valuemax')], ['24', '40'], 'the meter');
        stage.event('melded', 0, { meld: 9, kind: 'set', cards: ['9D1', '9H2', 'X2'], low: 8, staged: true, worth: 27 });
        await page.getByText('51 of 40 to open').waitFor();
        await page.click('[data-meld="9"]');
        equal((await lastOf(stage, 'take_back')).d, { meld: 9 }, 'the command');
      },
      { snapshot: staged() },
    ));
  await test('a pile is turned over by its button where the stock is empty', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        stage.answer = (frame) => {
          if (frame.t !== 'flip') return;
          stage.event('flipped', 0, { stock_n: 3, card: '4C1' });
          stage.ack(frame);
        };
        /* The bar has a long name and the number of the hand: it gives way, the table is not pushed out of the window. */
        const right = (el) => el.getBoundingClientRect().right;
        for (const what of ['.board', 'button[aria-label="Menu"]', 'section.mine', '.rail'])
          check((await page.locator(what).first().evaluate(right)) <= 360, `${what} ends outside of the window`);
        await page.getByRole('button', { name: 'Turn the pile over' }).click();
        await page.locator('.discard [data-card="4C1"]').waitFor();
        equal(await page.locator('.stock .count').innerText(), '3', 'the stock');
        equal(await page.locator('.discard [data-card]').count(), 1, 'cards of the new pile');
      },
      { snapshot: emptyStock(), options: PHONE },
    ));
  await test('a freed joker that must be used is put back by its button or its meld', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        await page.getByText('Use the joker you freed').waitFor();
        await page.getByRole('button', { name: 'Put the joker back' }).click();
        equal((await lastOf(stage, 'take_back')).d, { meld: 1 }, 'the command');
        await page.click('[data-meld="1"]');
        await until(() => stage.commands('take_back').length === 2, 'no second command');
      },
      { snapshot: owed() },
    ));
}

async function indianHands(browser, origin) {
  const table = (name, work, snapshot = indian(), options = LAPTOP) =>
    test(name, () => atTable(browser, origin, work, { snapshot, options }));
  const tags = (page) => page.locator('.bracket').allInnerTexts();

  await table('groups are judged while they are made', async (page) => {
    await makeGroups(page);
    equal(await tags(page), ['pure sequence', 'sequence', 'set'], 'the tags');
    await page.getByText('25 points').waitFor();
    await page.click(card('8H2'), { position: { x: 6, y: 16 } });
    await page.click(card('2D1'), { position: { x: 6, y: 16 } });
    await page.keyboard.press('g');
    equal((await tags(page)).at(-1), '10 points', 'the tag of two loose cards');
  });
  await table('a card dragged into a group joins it, one dragged on the new group makes one', async (page) => {
    await makeGroups(page);
    const to = await page.locator(card('QD2')).boundingBox();
    await mouseDrag(page, card('KC1'), { x: to.x + to.width - 8, y: to.y + 30 });
    await until(async () => (await tags(page))[1] !== 'sequence', 'the card joined no group');
    const from = await page.locator(card(REST[1])).boundingBox();
    await page.mouse.move(from.x + 10, from.y + 20);
    await page.mouse.down();
    await page.mouse.move(from.x + 40, from.y - 20, { steps: 4 });
    const spot = await centre(page, '[data-drop="group"]');
    await page.mouse.move(spot.x, spot.y, { steps: 4 });
    await page.mouse.up();
    await until(async () => (await tags(page)).length === 4, 'no new group');
  });
  await table('an incomplete grouping is not declared, a wrong one only when it is insisted on', async (page, stage) => {
    await makeGroups(page);
    await page.click(card('KC1'));
    await page.keyboard.press('e');
    await page.getByRole('alert').getByText('group all thirteen').waitFor();
    await page.keyboard.press('Escape');
    for (const name of REST.slice(1)) await page.click(card(name), { position: { x: 6, y: 16 } });
    await page.keyboard.press('g');
    await settled(page);
    await mouseDrag(page, card('KC1'), '.finish');
    const dialog = page.getByRole('dialog', { name: /wrong declaration/ });
    await dialog.getByText('A group is neither').waitFor();
    equal(stage.commands('declare'), [], 'what was sent unasked');
    await dialog.getByRole('button', { name: 'Declare all the same' }).click();
    equal((await lastOf(stage, 'declare')).d, { groups: [...GROUPS, REST.slice(1)], finish: 'KC1' }, 'the command');
  });
  await table(
    'a valid hand is declared by a touch into the finish slot',
    async (page, stage) => {
      stage.answer = (frame) => {
        if (frame.t !== 'legal') return;
        const groups = [...GROUPS, ['2D1', '3D1', '4D2']];
        stage.send({ t: 'legal', id: frame.id, v: stage.v, d: { types: ['declare'], moves: [{ t: 'declare', d: { groups, finish: 'KC1' } }] } });
      };
      await page.getByRole('button', { name: 'Arrange' }).click();
      await page.getByText('valid', { exact: true }).waitFor();
      await settled(page);
      await touchDrag(page, card('KC1'), '.finish');
      equal((await lastOf(stage, 'declare')).d.finish, 'KC1', 'the finishing card');
    },
    indian({ hand: [...GROUPS.flat(), 'KC1', '2D1', '3D1', '4D2'] }),
    PHONE,
  );
  await table(
    'a drop says its price before it is made; a wild card thrown may not be taken',
    async (page, stage) => {
      equal(await page.getByRole('button', { name: 'Take open card' }).count(), 0, 'ways to take it');
      await page.getByRole('button', { name: 'Drop 20' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Drop for 20' }).click();
      equal((await lastOf(stage, 'drop')).d, {}, 'the command');
    },
    indianDraw(),
  );
  await table(
    'nobody drops where that is not played',
    async (page) => {
      await page.getByRole('button', { name: 'Draw', exact: true }).waitFor();
      equal(await page.getByRole('button', { name: /^Drop/ }).count(), 0, 'drop buttons');
    },
    indianDraw({ table: { ...indian().table, variant: 'deals2' }, drop_points: 0 }),
  );
  await table(
    'after a declaration the others group against the clock',
    async (page, stage) => {
      await makeGroups(page);
      const groups = ['2H1 3H1 4H1 5H2', '5C1 6C1 7C1', 'TS2 TH1 TD1', 'KS1 KD1 KH1'].map((g) => g.split(' '));
      stage.event('declared', 1, { valid: true, groups, rest: ['9C1'] });
      await page.getByText('Karim declared', { exact: true }).waitFor();
      await page.locator('.finish [data-card="9C1"]').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      equal((await lastOf(stage, 'group')).d, { groups: GROUPS, done: true }, 'the command');
    },
    indian({ to_move: 1, hand: [...GROUPS.flat(), ...REST.slice(1)] }),
  );
  await table(
    'a declaration is seen whole on a phone, with the time to group, or why it is wrong',
    async (page, stage) => {
      const sets = ['9D1 9S1 9H1', 'JD1 JS1 JH1'];
      const tell = async (valid, groups, words) => {
        stage.event('declared', 1, { valid, groups: groups.map((g) => g.split(' ')), rest: [], finish: '3D1', ...(valid ? {} : { points: 80, code: 'needs_two_sequences' }) });
        await page.getByText(words).waitFor();
        const inside = await page.locator('.showdown').evaluate((el) => el.getBoundingClientRect().bottom - el.closest('.board').getBoundingClientRect().bottom);
        check(inside <= 0, `${inside} px of it are cut off`);
      };
      await tell(false, ['2H1 3H1 4H1 5H1', '6C1 6D1 6S1', ...sets], 'A second sequence is missing: 80 points');
      stage.event('turn', 2, { round: 3, phase: 'play' });
      stage.send({ t: 'clock', d: { seat: null, ms_left: 28000, turn_ms: 30000 } });
      await tell(true, ['2H1 3H1 4H1 5H1', '6C1 7C1 8C1', ...sets], 'to group');
    },
    indian({ to_move: 1, hand: [...GROUPS.flat(), ...REST.slice(1)] }),
    PHONE,
  );
}

async function sessions(browser, origin) {
  await test('between two hands: totals, who is out, re-joining, ready, and a seed of one’s own', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        stage.event('hand_ended', null, { winner: 1, ending: 'out', rummy: false });
        for (let seat = 0; seat < 6; seat++)
          stage.event('scored', seat, { points: seat === 1 ? 0 : 20, total: 110 - seat, bonus: 0, place: 6 - seat, cards: [], opened: false, won: seat === 1, rummy: false, left: false });
        stage.event('eliminated', 0, { total: 110 });
        stage.send({ t: 'next_hand', d: { hand_no: 2, commit: 'ab'.repeat(32), starts_in_ms: 9000, ready: [] } });
        const dialog = page.getByRole('dialog', { name: 'Karim wins the hand' });
        await dialog.waitFor();
        await dialog.getByText('to the next hand').waitFor();
        equal(await dialog.locator('.me [data-total]').getAttribute('data-total'), '110', 'the own total');
        await dialog.getByRole('button', { name: 'Ready' }).click();
        await lastOf(stage, 'ready');
        const seed = await lastOf(stage, 'seed');
        check(/^[0-9a-f]{32,64}$/.test(seed.d.seed), 'no seed of one’s own');
        stage.event('dealt', 1, { n: 13, hand_no: 2, stock_n: 60 });
        await dialog.waitFor({ state: 'detached' });
        await page.getByText('hand 2').waitFor();
      },
      { snapshot: indian({ to_move: 1 }) },
    ));
  await test('a new hand has no group of the one before, though some of its cards are dealt again', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        for (const name of GROUPS[0]) await page.click(card(name));
        await page.keyboard.press('g');
        await page.locator('.hand .bracket').waitFor();
        stage.event('hand_ended', null, { winner: 1, ending: 'out', rummy: false });
        const fresh = [...GROUPS[0].slice(1), ...GROUPS[1], '3C2', '4C2', '5C2', '8D2', '9D2', 'TD2', 'JD2'];
        stage.event('dealt', 0, { cards: fresh, hand_no: 2, stock_n: 90 });
        await page.waitForSelector(card('JD2'));
        equal(await page.locator('.hand [data-card]').count(), fresh.length, 'cards');
        equal(await page.locator('.hand .bracket').count(), 0, 'groups of the hand before');
      },
      { snapshot: indian() },
    ));
}

async function pointers(browser, origin) {
  await test('a card dragged to the pile is thrown', () =>
    atTable(browser, origin, async (page, stage) => {
      await mouseDrag(page, card('2D1'), '.discard');
      equal((await lastOf(stage, 'discard')).d, { cards: ['2D1'] }, 'the command');
    }));
  await test('a touch drags a card to the pile on a phone', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        await touchDrag(page, card('9D1'), '.discard');
        equal((await lastOf(stage, 'discard')).d, { cards: ['9D1'] }, 'the command');
      },
      { options: PHONE },
    ));
  await test('a joker and a natural card are buried together, the natural on top', () =>
    atTable(browser, origin, async (page, stage) => {
      await page.click(card('4C2'));
      await page.click(card('X2'));
      await page.click('.discard');
      equal((await lastOf(stage, 'discard')).d, { cards: ['X2', '4C2'] }, 'the command');
    }));
  await test('chosen cards dragged to the table are laid in order', () =>
    atTable(browser, origin, async (page, stage) => {
      for (const name of ['7S2', '5S1', '8S1', '6S1']) await page.click(card(name));
      await mouseDrag(page, card('6S1'), '.bottom');
      equal((await lastOf(stage, 'meld')).d, { cards: ['5S1', '6S1', '7S2', '8S1'] }, 'the command');
    }));
  await test('a card dragged on a meld is laid off at the end where it fits', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        await mouseDrag(page, card('KD2'), '[data-meld="6"]');
        equal((await lastOf(stage, 'lay_off')).d, { card: 'KD2', meld: 6, end: 'high' }, 'the command');
      },
      { snapshot: scene({ hand: [...scene().hand.slice(1), 'KD2'] }) },
    ));
  await test('the card a joker stands for swaps it', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        await page.click(card('QH2'));
        await page.click('[data-meld="1"]');
        equal((await lastOf(stage, 'swap')).d, { card: 'QH2', meld: 1, joker: 'X1' }, 'the command');
      },
      { snapshot: scene({ hand: [...scene().hand.slice(1), 'QH2'] }) },
    ));
  await test('a joker that fits both ends asks where to go', () =>
    atTable(browser, origin, async (page, stage) => {
      await page.click(card('X2'));
      await page.click('[data-meld="6"]');
      await page.getByRole('button', { name: 'At the low end' }).click();
      equal((await lastOf(stage, 'lay_off')).d, { card: 'X2', meld: 6, end: 'low' }, 'the command');
    }));
  await test('a drag within the hand changes the order and is kept', () =>
    atTable(browser, origin, async (page) => {
      const to = await page.locator(card('AH1')).boundingBox();
      const first = () => page.evaluate(() => document.querySelector('.hand [data-card]')?.dataset.card);
      await mouseDrag(page, card('KC2'), { x: to.x + 4, y: to.y + 40 });
      await until(async () => (await first()) === 'KC2', 'the card did not become the first');
      await page.reload();
      await page.waitForSelector(card('KC2'));
      await settled(page);
      equal(await first(), 'KC2', 'the first card after the reload');
    }));
}

async function keyboard(browser, origin) {
  await test('a whole turn by keyboard alone', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        stage.answer = (frame) => {
          if (frame.t === 'draw') stage.event('drew', 0, { from: 'stock', card: '9S2', must_open: false });
          if (frame.t === 'meld')
            stage.event('melded', 0, { meld: 9, kind: 'run', cards: frame.d.cards, low: 4, staged: false, worth: 26 });
          if (frame.t === 'discard') stage.event('discarded', 0, { cards: frame.d.cards, buried: false });
          if (['draw', 'meld', 'discard'].includes(frame.t)) stage.ack(frame);
        };
        await page.keyboard.press('d');
        await page.waitForSelector(card('9S2'));
        await page.keyboard.press('ArrowRight');
        for (let i = 0; i < 4; i++) {
          await page.keyboard.press('ArrowRight');
          await page.keyboard.press('Space');
        }
        const ring = await page.evaluate(() => getComputedStyle(document.activeElement).outlineStyle);
        check(ring !== 'none', 'the focus is not seen');
        await page.keyboard.press('l');
        await page.waitForSelector('[data-meld="9"]');
        equal(stage.commands('meld')[0].d.cards, ['5S1', '6S1', '7S2', '8S1'], 'the meld');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('End');
        await page.keyboard.press('t');
        equal((await lastOf(stage, 'discard')).d, { cards: ['9S2'] }, 'the command');
      },
      { snapshot: scene({ phase: 'draw', turn: { ...scene().turn, drew: false, drawn: null } }) },
    ));
  await test('a group is made, sorted around and kept over a reload', () =>
    atTable(browser, origin, async (page) => {
      for (const name of ['JC1', 'QC1', 'KC2']) await page.click(card(name));
      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await page.reload();
      await page.waitForSelector('.bracket.valid');
      equal(await page.locator('.bracket').innerText(), 'run 30', 'the tag of the group');
    }));
}

async function answers(browser, origin) {
  await test('a refusal is said in words and the cards are marked', () =>
    atTable(browser, origin, async (page, stage) => {
      stage.answer = (frame) =>
        frame.t === 'meld' &&
        stage.send({ t: 'nack', id: frame.id, code: 'not_a_meld', cards: ['2D1', '9H2'], text: 'No meld, these.' });
      for (const name of ['2D1', '9H2', 'JC1']) await page.click(card(name));
      await page.keyboard.press('l');
      await page.getByRole('alert').getByText('No meld, these.').waitFor();
      equal(await page.locator('.hand .refused').count(), 2, 'marked cards');
    }));
  await test('a gap in the events makes it resume from the last one known', () =>
    atTable(browser, origin, async (page, stage) => {
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
  await test('a lost connection is told and comes back by itself', () =>
    atTable(browser, origin, async (page, stage) => {
      await stage.socket.close({ code: 4001 });
      await page.waitForSelector('[data-connection="restarting"], [data-connection="connecting"], [data-connection="lost"]');
      await page.waitForSelector('[data-connection="open"]');
    }));
  await test('a newer window takes over, and this one may take it back', () =>
    atTable(browser, origin, async (page, stage) => {
      await stage.socket.close({ code: 4003 });
      await page.getByRole('button', { name: 'Play here' }).click();
      await page.waitForSelector('[data-connection="open"]');
    }));
  await test('who was away is told what the bot played for him', () =>
    atTable(browser, origin, async (page, stage) => {
      const played = { from_v: 201, to_v: 203, turns: 1, time_outs: 1, melds: 0, lay_offs: 0, opening: null, thrown: ['KC2'] };
      stage.answer = (frame) => {
        if (frame.t !== 'return') return;
        stage.event('returned', 0, {});
        stage.send({ t: 'played_for_you', d: { ...played, drop_points: null, hands: 0, points: 0, reserve_used_ms: 0, reserve_left_ms: 10000 } });
        stage.ack(frame);
      };
      stage.event('timed_out', 0, { in_a_row: 3 });
      stage.event('away', 0, {});
      stage.event('discarded', 0, { cards: ['KC2'], buried: false });
      await page.getByRole('button', { name: 'I am back' }).click();
      const dialog = page.getByRole('dialog', { name: 'While you were away' });
      await dialog.getByText('Thrown for you: king of clubs.').waitFor();
      equal(await dialog.locator('li').count(), 2, 'lines');
    }));
  await test('moves are shown at once when motion is not wanted', () =>
    atTable(
      browser,
      origin,
      async (page, stage) => {
        stage.event('discarded', 0, { cards: ['KC2'], buried: false });
        await page.waitForSelector('.discard [data-card="KC2"]');
        equal(await page.locator('.flights > *').count(), 0, 'cards on their way');
      },
      { options: { ...LAPTOP, reducedMotion: 'reduce' } },
    ));
  await test('four colours on demand', () =>
    atTable(browser, origin, async (page) => {
      await page.getByRole('button', { name: 'Menu' }).click();
      await page.getByRole('menuitemcheckbox', { name: /Four-colour/ }).click();
      check(await page.evaluate(() => document.documentElement.hasAttribute('data-four-colour')), 'not switched');
    }));
}

export async function layoutTests(browser, origin) {
  await sizes(browser, origin);
  await crowd(browser, origin);
  await crowdOfPeople(browser, origin);
  await openings(browser, origin);
  await indianHands(browser, origin);
  await sessions(browser, origin);
  await pointers(browser, origin);
  await keyboard(browser, origin);
  await answers(browser, origin);
  for (const { context } of pages.values()) await context.close();
}
