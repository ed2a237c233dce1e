/* How the table responds to mouse, touch, and keyboard. */
import {
  atTable,
  card,
  lastOf,
  LAPTOP,
  mouseDrag,
  MOVING,
  PHONE,
  settled,
  touchDrag,
} from '../lib/board.mjs';
import { check, equal, until } from '../lib/harness.mjs';
import { test } from '../lib/screens.mjs';
import { firstRound } from '../lib/moments.mjs';
import { indian } from '../lib/scenes.mjs';
import { scene } from '../lib/stage.mjs';
import { pause } from '../lib/ways.mjs';

function pointers() {
  test('a card dragged to the pile is thrown', () =>
    atTable(
      async (page, stage) => {
        await mouseDrag(page, card('2D1'), '.discard');
        equal((await lastOf(stage, 'discard')).d, { cards: ['2D1'] }, 'the command');
      },
      { options: { ...LAPTOP, ...MOVING } },
    ));
  test('a touch drags a card to the pile on a phone', () =>
    atTable(
      async (page, stage) => {
        await touchDrag(page, card('9D1'), '.discard');
        equal((await lastOf(stage, 'discard')).d, { cards: ['9D1'] }, 'the command');
      },
      { options: PHONE },
    ));
  test('a joker and a natural card are buried together, the natural on top', () =>
    atTable(async (page, stage) => {
      await page.click(card('4C2'));
      await page.click(card('X2'));
      await pause(page);
      await page.click('.discard');
      equal((await lastOf(stage, 'discard')).d, { cards: ['X2', '4C2'] }, 'the command');
    }));
  test('chosen cards dragged to the table are laid in order', () =>
    atTable(async (page, stage) => {
      for (const name of ['7S2', '5S1', '8S1', '6S1']) await page.click(card(name));
      await mouseDrag(page, card('6S1'), '.bottom');
      equal((await lastOf(stage, 'meld')).d, { cards: ['5S1', '6S1', '7S2', '8S1'] }, 'the command');
    }));
  test('a card dragged on a meld is laid off at the end where it fits', () =>
    atTable(
      async (page, stage) => {
        await mouseDrag(page, card('KD2'), '[data-meld="6"]');
        equal((await lastOf(stage, 'lay_off')).d, { card: 'KD2', meld: 6, end: 'high' }, 'the command');
      },
      { snapshot: scene({ hand: [...scene().hand.slice(1), 'KD2'] }) },
    ));
  test('the card a joker stands for swaps it', () =>
    atTable(
      async (page, stage) => {
        await page.click(card('QH2'));
        await page.click('[data-meld="1"]');
        equal((await lastOf(stage, 'swap')).d, { card: 'QH2', meld: 1, joker: 'X1' }, 'the command');
      },
      { snapshot: scene({ hand: [...scene().hand.slice(1), 'QH2'] }) },
    ));
  test('a joker that fits both ends asks where to go', () =>
    atTable(async (page, stage) => {
      await page.click(card('X2'));
      await page.click('[data-meld="6"]');
      await page.getByRole('button', { name: 'At the low end' }).click();
      equal((await lastOf(stage, 'lay_off')).d, { card: 'X2', meld: 6, end: 'low' }, 'the command');
    }));
  test('a drag within the hand changes the order for good', () =>
    atTable(async (page) => {
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

function keyboard() {
  test('a whole turn by keyboard alone', () =>
    atTable(
      async (page, stage) => {
        stage.answer = (frame) => {
          if (frame.t === 'draw') stage.event('drew', 0, { from: 'stock', card: '9S2', must_open: false });
          if (frame.t === 'meld')
            stage.event('melded', 0, {
              meld: 9,
              kind: 'run',
              cards: frame.d.cards,
              low: 4,
              staged: false,
              worth: 26,
            });
          if (frame.t === 'discard') stage.event('discarded', 0, { cards: frame.d.cards, buried: false });
          if (['draw', 'meld', 'discard'].includes(frame.t)) stage.ack(frame);
        };
        await page.keyboard.press('d');
        await page.waitForSelector(card('9S2'));
        const step = async (name) => {
          await page.keyboard.press('ArrowRight');
          await page.locator(`${card(name)}:focus`).waitFor(); // lets a slow page catch up
        };
        await step('AH1');
        for (const name of ['5S1', '6S1', '7S2', '8S1']) {
          await step(name);
          await page.keyboard.press('Space');
          await page.locator(`${card(name)}[aria-pressed=true]`).waitFor();
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
      {
        options: { ...LAPTOP, ...MOVING },
        snapshot: scene({ phase: 'draw', turn: { ...scene().turn, drew: false, drawn: null } }),
      },
    ));
  test('the hint key works while a move is pending', () =>
    atTable(
      async (page, stage) => {
        stage.answer = (frame) =>
          frame.t === 'draw' && stage.event('drew', 0, { from: 'stock', card: '9S2', must_open: false });
        await page.keyboard.press('d'); // without an acknowledgment
        await page.waitForSelector(card('9S2'));
        await page.keyboard.press('h');
        await page.keyboard.press('h');
        await lastOf(stage, 'legal');
        equal(stage.commands('legal').length, 1, 'requests for legal moves');
      },
      { snapshot: scene({ phase: 'draw', turn: { ...scene().turn, drew: false, drawn: null } }) },
    ));
  test('a group is created, stays together when sorting, and survives a reload', () =>
    atTable(async (page) => {
      for (const name of ['JC1', 'QC1', 'KC2']) await page.click(card(name));
      await page.keyboard.press('g');
      await page.keyboard.press('r');
      await page.reload();
      await page.waitForSelector('.bracket.valid');
      equal(await page.locator('.bracket').innerText(), 'run 30', 'the tag of the group');
    }));
}

/** Presses one element after another, as fast as the page accepts it. */
function taps(page, ...selectors) {
  return page.evaluate((all) => {
    for (const selector of all) {
      const target = document.querySelector(selector);
      const { x, y } = target.getBoundingClientRect();
      const press = {
        bubbles: true,
        cancelable: true,
        button: 0,
        clientX: x + 6,
        clientY: y + 16,
        detail: 1,
      };
      target.dispatchEvent(new PointerEvent('pointerdown', press));
      target.dispatchEvent(new PointerEvent('pointerup', press));
      target.dispatchEvent(new MouseEvent('click', press));
    }
  }, selectors);
}

const VALID = ['2H1 3H1 4H1 5H2', '5C1 6C1 7C1', 'TS2 TH1 TD1', 'KS1 KD1 KH1'].map((g) => g.split(' '));

/** Drags a card over a target and holds it there. */
async function dragOver(page, from, to) {
  const a = await page.locator(from).first().boundingBox();
  const b = await page.locator(to).first().boundingBox();
  await page.mouse.move(a.x + 10, a.y + 20);
  await page.mouse.down();
  await page.mouse.move(a.x + 30, a.y - 10, { steps: 3 });
  await page.mouse.move(b.x + 20, b.y + b.height - 10, { steps: 4 });
}

function hastyTaps() {
  test('a second tap in the same spot throws no card, a quick tap elsewhere does', () =>
    atTable(async (page, stage) => {
      await taps(page, card('KC2'), card('KC2'));
      await pause(page);
      await page.click(card('2D1'));
      await pause(page);
      await taps(page, '.discard', '.discard');
      await lastOf(stage, 'discard');
      equal(stage.commands('discard').length, 1, 'discards of two taps in one spot');
      await taps(page, card('2D1'), card('9H2'), '.discard');
      await until(() => stage.commands('discard').length > 1, 'the quick tap was ignored');
      equal(stage.commands('discard').at(-1).d, { cards: ['9H2'] }, 'what a quick tap discards');
    }));
  test('a second tap in the same spot declares nothing', () =>
    atTable(
      async (page, stage) => {
        await page.waitForSelector('.bracket.pure');
        await taps(page, '.finish', '.finish');
        await lastOf(stage, 'declare');
        equal(stage.commands('declare').length, 1, 'declarations');
      },
      { snapshot: indian({ hand: [...VALID.flat(), '9C1'], grouping: { groups: VALID } }) },
    ));
}

/** The name of the focused element. */
const focused = (page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? '',
  );

function focus() {
  const drawing = scene({ phase: 'draw', turn: { ...scene().turn, drew: false, drawn: null } });
  test('the focus stays at the table when the pressed button disappears', () =>
    atTable(
      async (page, stage) => {
        stage.answer = (frame) => {
          if (frame.t === 'draw') stage.event('drew', 0, { from: 'stock', card: '9S2', must_open: false });
          if (frame.t === 'legal')
            stage.send({ t: 'legal', id: frame.id, v: stage.v, d: { types: ['discard'], moves: [] } });
          else stage.ack(frame);
        };
        await page.getByRole('button', { name: 'Draw', exact: true }).focus();
        await page.keyboard.press('Enter');
        await page.waitForSelector(card('9S2'));
        await until(
          async () => await page.evaluate(() => document.activeElement?.closest('.hand') !== null),
          'the focus is not in the hand',
        );
        await page.getByRole('button', { name: 'Hint' }).focus();
        await page.keyboard.press('Enter');
        await page.getByText('Nothing to lay right now').waitFor();
        await until(
          async () => (await focused(page)) === 'Hint',
          'the focus did not come back to the button',
        );
        await page.getByRole('button', { name: 'Close' }).focus();
        await page.keyboard.press('Enter');
        await until(
          async () => await page.evaluate(() => document.activeElement?.closest('.hand') !== null),
          'the focus is lost after the hints',
        );
      },
      { snapshot: drawing },
    ));
  test('a link leads past the bar to the hand, and ? tells the keys', () =>
    atTable(async (page) => {
      await page.keyboard.press('Tab');
      equal(await focused(page), 'Skip to the content', 'the first stop');
      await page.keyboard.press('Enter');
      check(
        await page.evaluate(() => document.activeElement?.closest('.hand') !== null),
        'the hand has not the focus',
      );
      await page.keyboard.press('?');
      await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await until(
        async () => page.evaluate(() => document.activeElement?.closest('.hand') !== null),
        'the focus did not go back to the hand',
      );
    }));
  test('the announcement of a turn includes the discard just before it', () =>
    atTable(
      async (page, stage) => {
        const lines = () => page.locator('[role=log] p').allTextContents();
        stage.event('discarded', 3, { cards: ['3D1'], buried: false });
        stage.event('turn', 0, { phase: 'draw' });
        await until(
          async () =>
            (await lines()).slice(-2).join(' ') ===
            'Yusuf discarded the 3 of diamonds. 10 cards left. Your turn: draw a card.',
          'the discard is not said',
        );
        stage.event('drew', 0, { from: 'stock', card: 'AS1' });
        await until(
          async () =>
            (await lines()).slice(-2).join(' ') ===
            'Your turn: draw a card. You drew the ace of spades from the stock.',
          'the draw is not said next',
        );
      },
      { snapshot: scene({ to_move: 3 }) },
    ));
  test('the last seconds of the player’s turn are announced once', () =>
    atTable(
      async (page, stage) => {
        const timer = page.locator('.mine [role=timer]');
        equal(await timer.textContent(), '', 'announced with time left');
        stage.send({ t: 'clock', d: { seat: 0, ms_left: 9_900, turn_ms: 30_000 } });
        await until(async () => (await timer.textContent()) === '10 seconds left', 'nothing is announced');
        stage.send({ t: 'clock', d: { seat: 0, ms_left: 5_000, turn_ms: 30_000 } });
        equal(await timer.textContent(), '10 seconds left', 'announced later');
      },
      { snapshot: scene({ clock: { seat: 0, ms_left: 600_000, turn_ms: 600_000 } }) },
    ));
  test('a hand clock that runs short is announced, and shown next to the turn clock', () =>
    atTable(
      async (page, stage) => {
        const said = page.locator('.mine .picture [role=status]');
        const left = page.locator('.mine [data-hand-left]');
        const clock = (ms_left, turn_ms, own) =>
          stage.send({
            t: 'clock',
            d: { seat: 0, ms_left, turn_ms, hand_ms_left: [own, 120_000, 120_000, 120_000] },
          });
        equal(await said.textContent(), '', 'announced with time left');
        clock(30_000, 30_000, 95_500);
        await until(
          async () => /^1:3\d$/.test(await left.textContent()),
          'what is left of the hand is not shown',
        );
        clock(21_000, 21_000, 21_000);
        await until(
          async () => (await said.textContent()).startsWith('Only 21 seconds for this turn'),
          'that it runs short is not said',
        );
        clock(8_000, 8_000, 8_000);
        await until(
          async () =>
            (await said.textContent()) ===
            'Your time for this hand is used up: 8 seconds per turn from now on.',
          'that it is used up is not said',
        );
        stage.send({ t: 'clock', d: { seat: 0, ms_left: 30_000, turn_ms: 30_000 } });
        await until(
          async () => (await left.count()) === 0 && (await said.textContent()) === '',
          'a table without one shows one',
        );
      },
      { snapshot: scene({}) },
    ));
  test('in the first round no meld is offered', () =>
    atTable(
      async (page) => {
        await page.locator('.prompt', { hasText: 'No melds in your first round' }).waitFor();
        for (const name of ['5S1', '6S1', '7S2']) await page.click(card(name));
        equal(await page.getByRole('button', { name: /^Lay meld/ }).count(), 0, 'buttons');
        await dragOver(page, card('5S1'), '.bottom');
        equal(
          await page.locator('.lay-here, .bottom.drop, .bottom.willing').count(),
          0,
          'places to drop melds',
        );
        await page.mouse.up();
      },
      { snapshot: firstRound() },
    ));
  test('the place for melds has words, and a card over the stock is not over it', () =>
    atTable(async (page) => {
      await dragOver(page, card('5S1'), '.bottom');
      await page.locator('.bottom.drop', { hasText: 'Drop here to lay' }).waitFor();
      const stock = await page.locator('.stock').boundingBox();
      await page.mouse.move(stock.x + 20, stock.y + 20, { steps: 4 });
      await page.locator('.bottom.drop').waitFor({ state: 'detached' });
      equal(await page.locator('.bottom.willing').count(), 1, 'places to drop melds');
      await page.mouse.up();
    }));
  test('no button moves when the hand fits in one row during the turn', () =>
    atTable(
      async (page, stage) => {
        const rows = () =>
          page
            .locator('.hand [data-card]')
            .evaluateAll(
              (all) => new Set(all.map((el) => new DOMMatrix(getComputedStyle(el).transform).f)).size,
            );
        const top = async () => (await page.locator('.buttons').boundingBox()).y;
        const before = await top();
        equal(await rows(), 2, 'rows before');
        const cards = ['5S1', '6S1', '7S2', '8S1'];
        stage.event('melded', 0, { meld: 9, kind: 'run', cards, low: 4, staged: false, worth: 26 });
        stage.event('discarded', 0, { cards: ['JC1', 'QC1', 'KC2'], buried: false });
        await until(async () => (await rows()) === 1, 'the hand stays in two rows');
        equal(await top(), before, 'the top of the buttons');
      },
      { options: PHONE },
    ));
  test('the talk takes the focus, and gives it back', () =>
    atTable(async (page, stage) => {
      stage.answer = (frame) => stage.ack(frame);
      await page.getByRole('button', { name: 'Chat' }).focus();
      await page.keyboard.press('Enter');
      await page.getByLabel('Say something to the table').fill('Hello all');
      await page.keyboard.press('Enter');
      await until(
        async () => (await focused(page)) === 'Say something to the table',
        'the next line cannot be written at once',
      );
      await page.keyboard.press('Escape');
      await until(async () => (await focused(page)) === 'Chat', 'the focus did not go back');
    }));
}

pointers();
keyboard();
focus();
hastyTaps();
