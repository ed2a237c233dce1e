/* How the page implements the rules: openings and their sum, groups and declarations, and the break between
 * two hands. */
import {
  atTable,
  card,
  centre,
  LAPTOP,
  lastOf,
  makeGroups,
  mouseDrag,
  PHONE,
  settled,
  SIZES,
  touchDrag,
} from '../lib/board.mjs';
import { check, counted, equal, until } from '../lib/harness.mjs';
import { test } from '../lib/screens.mjs';
import { emptyStock, GROUPS, indian, indianDraw, owed, REST, staged } from '../lib/scenes.mjs';

/** On a phone the buttons of a move are in one row. */
async function oneRow(page) {
  const rows = await page
    .locator('.buttons .btn')
    .evaluateAll((all) => [...new Set(all.map((el) => Math.round(el.getBoundingClientRect().y)))]);
  equal(rows.length, 1, 'rows of buttons');
}

/* Wild queens at the left, in the middle, and next to each other; none of them is the last card. */
const WILD = ['QH1', 'QC1', 'QD2'];
const HELD = 'QH1 2D1 5H1 6H1 QC1 QD2 9S1 TS1 4C1 4D1 X1 KC1 JH2 3S2'.split(' ');

/** Each marked card: whether another one covers it, and whether its mark is visible. */
const wildMarks = (page) =>
  page.locator('.hand [data-card]:has(.star.wild)').evaluateAll((all) =>
    all.map((el) => {
      const at = (x, y) => el.contains(document.elementFromPoint(x, y));
      const [whole, mark] = [el, el.querySelector('.star.wild')].map((each) => each.getBoundingClientRect());
      const free = [0.1, 0.5, 0.9].every((part) => at(mark.x + mark.width * part, mark.y + mark.height / 2));
      return [el.dataset.card, !at(whole.right - 4, whole.y + whole.height / 2), free];
    }),
  );

function openings() {
  test('the opening is summed up against the minimum of the table', () =>
    atTable(
      async (page, stage) => {
        await page.locator('.prompt', { hasText: '24 of 40 to open' }).waitFor();
        const meter = page.getByRole('meter');
        equal(
          [await meter.getAttribute('aria-valuenow'), await meter.getAttribute('aria-valuemax')],
          ['24', '40'],
          'the meter',
        );
        stage.event('melded', 0, {
          meld: 9,
          kind: 'set',
          cards: ['9D1', '9H2', 'X2'],
          low: 8,
          staged: true,
          worth: 27,
        });
        await page.locator('.prompt', { hasText: '51 of 40 to open' }).waitFor();
        await page.click('[data-meld="9"]');
        equal((await lastOf(stage, 'take_back')).d, { meld: 9 }, 'the command');
      },
      { snapshot: staged() },
    ));
  test('a pile is turned over by its button where the stock is empty', () =>
    atTable(
      async (page, stage) => {
        stage.answer = (frame) => {
          if (frame.t !== 'flip') return;
          stage.event('flipped', 0, { stock_n: 3, card: '4C1' });
          stage.ack(frame);
        };
        /* The bar shows a long name and the number of the hand. It shrinks, and the table stays in the
         * window. */
        const right = (el) => el.getBoundingClientRect().right;
        for (const what of ['.board', 'button[aria-label="Menu"]', 'section.mine', '.rail'])
          check(
            (await page.locator(what).first().evaluate(right)) <= 360,
            `${what} ends outside of the window`,
          );
        await oneRow(page);
        await page.getByRole('button', { name: 'Turn the pile over' }).click();
        await page.locator('.discard [data-card="4C1"]').waitFor();
        equal(await page.locator('.stock .count').innerText(), '3', 'the stock');
        await counted(page.locator('.discard [data-card]'), 1, 'cards of the new pile');
      },
      { snapshot: emptyStock(), options: PHONE },
    ));
  test('a freed joker that must be used is put back by its button or its meld', () =>
    atTable(
      async (page, stage) => {
        await page.locator('.prompt', { hasText: 'Use the joker you freed' }).waitFor();
        await page.getByRole('button', { name: 'Put the joker back' }).click();
        equal((await lastOf(stage, 'take_back')).d, { meld: 1 }, 'the command');
        await page.click('[data-meld="1"]');
        await until(() => stage.commands('take_back').length === 2, 'no second command');
      },
      { snapshot: owed() },
    ));
}

function indianHands() {
  const table = (name, work, snapshot = indian(), options = LAPTOP) =>
    test(name, () => atTable(work, { snapshot, options }));
  const tags = (page) => page.locator('.bracket').allInnerTexts();

  table('groups are judged while they are built', async (page) => {
    const met = () =>
      page.locator('.prompt [data-met]').evaluateAll((all) => all.map((el) => el.dataset.met));
    equal(await met(), ['false', 'false'], 'sequences before any group');
    await makeGroups(page);
    equal(await tags(page), ['pure sequence', 'sequence', 'set'], 'the tags');
    await page.getByText('25 points').waitFor();
    equal(await met(), ['true', 'true'], 'a pure and a second sequence');
    await page.click(card('8H2'), { position: { x: 6, y: 16 } });
    await page.click(card('2D1'), { position: { x: 6, y: 16 } });
    await page.keyboard.press('g');
    equal((await tags(page)).at(-1), '10 points', 'the tag of two loose cards');
  });
  table('the hand is arranged though nothing can be declared yet, out of turn too', async (page, stage) => {
    stage.answer = (frame) =>
      frame.t === 'legal' &&
      stage.send({ t: 'legal', id: frame.id, v: stage.v, d: { types: ['declare', 'discard'], moves: [] } });
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.locator('.bracket').nth(2).waitFor();
    equal(await tags(page), ['pure sequence', 'sequence', 'set'], 'the tags');
    await page.locator('.bracket').first().click();
    await page.keyboard.press('g');
    stage.event('discarded', 0, { cards: ['KC1'], buried: false });
    stage.event('turn', 1, { round: 3, phase: 'draw' });
    await page.locator('.actions:not(.mine)').waitFor();
    equal((await tags(page)).length, 2, 'groups before');
    await page.getByRole('button', { name: 'Arrange' }).click();
    await page.locator('.bracket').nth(2).waitFor();
    equal(stage.commands('legal').length, 1, 'times the server was asked');
  });
  table('a card dragged into a group joins it, one dragged on the new group makes one', async (page) => {
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
  table(
    'an incomplete grouping cannot be declared, and a wrong one only after confirmation',
    async (page, stage) => {
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
      await dialog.getByText('One group is neither').waitFor();
      equal(stage.commands('declare'), [], 'what was sent unasked');
      await dialog.getByRole('button', { name: 'Declare anyway' }).click();
      equal(
        (await lastOf(stage, 'declare')).d,
        { groups: [...GROUPS, REST.slice(1)], finish: 'KC1' },
        'the command',
      );
    },
  );
  table(
    'a valid hand is declared by a touch into the finish slot',
    async (page, stage) => {
      stage.answer = (frame) => {
        if (frame.t !== 'legal') return;
        const groups = [...GROUPS, ['2D1', '3D1', '4D2']];
        stage.send({
          t: 'legal',
          id: frame.id,
          v: stage.v,
          d: { types: ['declare'], moves: [{ t: 'declare', d: { groups, finish: 'KC1' } }] },
        });
      };
      await page.getByRole('button', { name: 'Arrange' }).click();
      await page.getByText('valid: ready to declare').waitFor();
      await settled(page);
      const covered = await page.locator('.bracket').evaluateAll((all) =>
        all.flatMap((el) => {
          const r = el.getBoundingClientRect();
          return el.contains(document.elementFromPoint(r.x + r.width / 2, r.y + 8)) ? [] : [el.innerText];
        }),
      );
      equal(covered, [], 'tags that lie under a card');
      await touchDrag(page, card('KC1'), '.finish');
      equal((await lastOf(stage, 'declare')).d.finish, 'KC1', 'the finishing card');
    },
    indian({ hand: [...GROUPS.flat(), 'KC1', '2D1', '3D1', '4D2'] }),
    PHONE,
  );
  table(
    'a drop shows its price first; a discarded wild card cannot be taken',
    async (page, stage) => {
      equal(await page.getByRole('button', { name: 'Take discard' }).count(), 0, 'ways to take it');
      await oneRow(page);
      await page.getByRole('button', { name: 'Drop 20' }).click();
      await page.getByRole('dialog').waitFor();
      equal(await page.evaluate(() => document.activeElement.textContent), 'Stay in', 'what Enter does');
      await page.getByRole('dialog').getByRole('button', { name: 'Drop for 20' }).click();
      equal((await lastOf(stage, 'drop')).d, {}, 'the command');
    },
    indianDraw(),
    PHONE,
  );
  for (const size of ['a phone of 320', 'a small phone held sideways', 'a laptop of 1366'])
    table(
      `wild cards are marked, also where the next card lies on them, on ${size}`,
      async (page) => {
        await settled(page);
        equal(
          await wildMarks(page),
          WILD.map((name) => [name, true, true]),
          'wild cards: covered, with their mark to be seen',
        );
      },
      indian({ hand: HELD }),
      SIZES[size],
    );
  table(
    'variants without drops have no drop button',
    async (page) => {
      await page.getByRole('button', { name: 'Draw', exact: true }).waitFor();
      equal(await page.getByRole('button', { name: /^Drop/ }).count(), 0, 'drop buttons');
    },
    indianDraw({ table: { ...indian().table, variant: 'deals2' }, drop_points: 0 }),
  );
  table(
    'after a declaration the others group against the clock',
    async (page, stage) => {
      await makeGroups(page);
      const groups = ['2H1 3H1 4H1 5H2', '5C1 6C1 7C1', 'TS2 TH1 TD1', 'KS1 KD1 KH1'].map((g) =>
        g.split(' '),
      );
      stage.event('declared', 1, { valid: true, groups, rest: ['9C1'] });
      await page.getByText('Karim declared', { exact: true }).waitFor();
      await page.locator('.finish [data-card="9C1"]').waitFor();
      await page.getByRole('button', { name: 'Done' }).click();
      equal((await lastOf(stage, 'group')).d, { groups: GROUPS, done: true }, 'the command');
    },
    indian({ to_move: 1, hand: [...GROUPS.flat(), ...REST.slice(1)] }),
  );
  table(
    'a declaration fits a phone, with the time left to group or the reason it is wrong',
    async (page, stage) => {
      const sets = ['9D1 9S1 9H1', 'JD1 JS1 JH1'];
      const tell = async (valid, groups, words) => {
        stage.event('declared', 1, {
          valid,
          groups: groups.map((g) => g.split(' ')),
          rest: [],
          finish: '3D1',
          ...(valid ? {} : { points: 80, code: 'needs_two_sequences' }),
        });
        await page.getByText(words).waitFor();
        const inside = await page
          .locator('.showdown')
          .evaluate(
            (el) => el.getBoundingClientRect().bottom - el.closest('.board').getBoundingClientRect().bottom,
          );
        check(inside <= 0, `${inside} px of it are cut off`);
      };
      await tell(false, ['2H1 3H1 4H1 5H1', '6C1 6D1 6S1', ...sets], 'You need a second sequence: 80 points');
      stage.event('turn', 2, { round: 3, phase: 'play' });
      stage.send({ t: 'clock', d: { seat: null, ms_left: 28000, turn_ms: 30000 } });
      await tell(true, ['2H1 3H1 4H1 5H1', '6C1 7C1 8C1', ...sets], 'to group');
    },
    indian({ to_move: 1, hand: [...GROUPS.flat(), ...REST.slice(1)] }),
    PHONE,
  );
}

function sessions() {
  test('between two hands: totals, players who are out, rejoining, ready, and a custom seed', () =>
    atTable(
      async (page, stage) => {
        stage.event('hand_ended', null, { winner: 1, ending: 'out', rummy: false });
        for (let seat = 0; seat < 6; seat++)
          stage.event('scored', seat, {
            points: seat === 1 ? 0 : 20,
            total: 110 - seat,
            bonus: 0,
            place: 6 - seat,
            cards: [],
            opened: false,
            won: seat === 1,
            rummy: false,
            left: false,
          });
        stage.event('eliminated', 0, { total: 110 });
        stage.send({
          t: 'next_hand',
          d: { hand_no: 2, commit: 'ab'.repeat(32), starts_in_ms: 9000, asked: [0], ready: [] },
        });
        const dialog = page.getByRole('dialog', { name: 'Karim wins the hand' });
        await dialog.waitFor();
        await dialog.getByText('until the next hand').waitFor();
        equal(await dialog.locator('.me [data-total]').getAttribute('data-total'), '110', 'the own total');
        const lines = await dialog
          .locator('.totals tr')
          .evaluateAll((all) => all.map((tr) => [...tr.cells].slice(0, 3).map((c) => c.innerText)));
        equal(
          lines,
          [
            ['Hand', 'You', 'Karim'],
            ['Rejoin', '90', '109'],
            ['1', '20', '0'],
            ['Total', '110', '109'],
          ],
          'the lines add up',
        );
        equal(await dialog.getByRole('button', { name: 'Ready' }).count(), 0, 'questions to one who is out');
        await dialog.getByText('You’re out of the pool. The others').waitFor();
        await page.keyboard.press('Escape');
        stage.event('rejoined', 0, { total: 110 });
        await page.getByRole('button', { name: 'Result' }).click();
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
  test('a new hand has no groups of the previous one, even if some cards return', () =>
    atTable(
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

openings();
indianHands();
sessions();
