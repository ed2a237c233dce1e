/* Learning: the guided hand, the lessons of a game and its game with a clock, the rules, and the coach, on
 * the built page without a server. PICTURES=DIR saves a screenshot of each. */
import { violations } from '../lib/axe.mjs';
import { atTable, hiddenMelds, lastOf, SIZES } from '../lib/board.mjs';
import { openPage } from '../lib/browser.mjs';
import { AT_ITS_EDGE, takeStep } from '../lib/guided.mjs';
import { check, equal, languages, LONG } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { answerLegal, practice } from '../lib/moments.mjs';
import { scene } from '../lib/stage.mjs';
import { answerFor } from '../lib/static.mjs';
import { textsOf } from '../lib/texts.mjs';

const WINDOWS = ['a phone of 360', 'a phone held sideways', 'a laptop of 1366'];

async function picture(page, name) {
  if (process.env.PICTURES)
    await page.screenshot({ path: `${process.env.PICTURES}/learn-${name.replaceAll(' ', '-')}.png` });
}

async function inMenu(page, item) {
  await page.locator('.table-bar [data-dropdown-menu-trigger]').click();
  await page.locator('.menu-item', { hasText: item }).click();
}

/* The steps of the guided hand of Rummy 51: the cards to tap, and the next action. */
const GUIDED = [
  [[], '[data-anchor="stock"]'],
  [['5D1'], '[data-anchor="discard"]'],
  [[], '[data-anchor="discard"]'],
  [['7S1', '8S1', '9S1', 'TS1'], 'Lay meld'],
  [['KD1', 'KC1', 'KH1'], 'Lay meld'],
  [['9D1'], '[data-anchor="discard"]'],
  [[], '[data-anchor="stock"]'],
  [['6H1'], '[data-meld="0"]'],
  [['QS1', 'QC1', 'X1'], 'Lay meld'],
  [['2C1', '3C1', '4C1'], 'Lay meld'],
  [['7H1'], '[data-meld="0"]'],
  [['JD1'], '[data-anchor="discard"]'],
];

const INDIAN = [
  [[], '[data-anchor="stock"]'],
  [['KD1'], '[data-anchor="discard"]'],
  [[], '[data-anchor="discard"]'],
  [[], 'Arrange', ['5D2'], 'Declare'],
];

const OF_51 = { path: '/learn', steps: GUIDED, game: 'Rummy 51', next: 'Jokers' };

const hurdle = (page, words) => page.locator('.guide .hurdle', { hasText: words }).waitFor();
const guidedAs = (page, selector) => page.locator(selector).getAttribute('data-guided');

/** Taps that are not part of the step: each is explained, and none is praised. */
async function astray(page, press, number) {
  const stray = page.locator('.hand [data-card="2C1"]');
  if (number === 0) {
    await press(page.locator('[data-anchor="discard"]'));
    await hurdle(page, 'Not yet. This comes first:');
    const [color, amber] = await page.evaluate(() => {
      const probe = document.createElement('i');
      probe.style.color = 'var(--amber)';
      document.body.append(probe);
      const colors = [document.querySelector('.guide .hurdle'), probe].map(
        (el) => getComputedStyle(el).color,
      );
      probe.remove();
      return colors;
    });
    equal(color, amber, 'color of what is not right yet');
  } else if (number === 1) {
    equal(await guidedAs(page, '.hand [data-card="5D1"]'), 'card', 'the card to tap');
    equal(await guidedAs(page, '.hand .fresh'), null, 'the drawn card');
    equal(await guidedAs(page, '[data-anchor="discard"]'), null, 'the pile before its card');
    await press(stray, AT_ITS_EDGE);
    await hurdle(page, 'The 2♣ isn’t needed now: tap it again to put it back.');
    await press(page.locator('.hand [data-card="5D1"]'), AT_ITS_EDGE);
    await press(page.locator('[data-anchor="discard"]'));
    await hurdle(page, '2 cards are selected. Tap the 2♣ to put it back.');
    equal(await violations(page), [], 'axe');
    await picture(page, `guide-${page.viewportSize().width}`);
    await press(stray, AT_ITS_EDGE);
    await page.locator('[data-anchor="discard"][data-guided="place"]').waitFor();
    await press(page.locator('.hand [data-card="5D1"]'), AT_ITS_EDGE);
  } else if (number === 3) {
    for (const name of ['7S1', '8S1', '9S1'])
      await press(page.locator(`.hand [data-card="${name}"]`), AT_ITS_EDGE);
    await press(page.locator('.buttons').getByRole('button', { name: 'Lay meld' }));
    await hurdle(page, 'Not yet. Tap the 10♠ as well.');
    for (const name of ['7S1', '8S1', '9S1'])
      await press(page.locator(`.hand [data-card="${name}"]`), AT_ITS_EDGE);
  } else if (number === 5) {
    await page.locator('.guide em', { hasText: 'Nice meld.' }).waitFor();
    await press(stray, AT_ITS_EDGE);
    await hurdle(page, 'The 2♣ isn’t needed now');
    equal(await page.getByText('Nice meld.').count(), 0, 'praise for a stray tap');
    await press(stray, AT_ITS_EDGE);
  }
}

/** Plays the guided hand with `press` in a fresh browser, and then the same game against a bot. */
async function guided(options, press, { path, steps, game, next } = OF_51) {
  const { context, page, errors } = await openPage(here.browser, { reducedMotion: 'reduce', ...options });
  try {
    await answerFor(page, () => null);
    await page.goto(here.origin + path);
    for (const [number, [cards, target]] of steps.entries()) {
      await page.getByText(`${number + 1} of ${steps.length}`).waitFor();
      await page.locator('[data-guided]').first().waitFor();
      if (steps === GUIDED) {
        await astray(page, press, number);
        equal(await hiddenMelds(page), [], `melds out of sight in step ${number + 1}`);
      }
      for (const name of cards) await press(page.locator(`.hand [data-card="${name}"]`), AT_ITS_EDGE);
      const [, , more = [], last] = steps[number];
      await press(
        target.startsWith('[')
          ? page.locator(target)
          : page.locator('.buttons').getByRole('button', { name: target }),
      );
      for (const name of more) await press(page.locator(`.hand [data-card="${name}"]`), AT_ITS_EDGE);
      if (last) await press(page.locator('.buttons').getByRole('button', { name: last }));
    }
    await page.getByRole('link', { name: `Next: ${next}` }).waitFor();
    await picture(page, `guide${path.replaceAll('/', '-')}-end-${options.viewport.width}`);
    await press(page.getByRole('link', { name: 'Play with bots now' }));
    await page.waitForURL('**/practice');
    await page.locator('.hand [data-card]').first().waitFor();
    equal(await page.getByRole('heading', { level: 1 }).innerText(), game, 'the game that is dealt');
    equal(errors, [], 'errors of the page');
  } finally {
    await context.close();
  }
}

test('the guided hand can be finished by touch at 360 px without a server', () =>
  guided({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true }, (what, at) =>
    what.tap(at),
  ));
test('that of an Indian game by mouse at 1366×650, as a browser leaves of a laptop', () =>
  guided({ viewport: { width: 1366, height: 650 } }, (what, at) => what.click(at), {
    path: '/learn/points',
    steps: INDIAN,
    game: 'Points rummy',
    next: 'Pure sequences',
  }));
if (LONG)
  for (const [width, height] of [
    [844, 390],
    [1366, 650],
  ])
    test(`and by mouse at ${width}×${height}`, () =>
      guided({ viewport: { width, height } }, (what, at) => what.click(at)));

/** The gold buttons of a path, and the completed stages. */
const onPath = async (page) => ({
  next: await page.locator('main ol li:has(.btn.primary)').locator('[data-stage]').evaluateAll(stagesOf),
  done: await page.locator('main ol li.done [data-stage]').evaluateAll(stagesOf),
});
const stagesOf = (all) => all.map((el) => el.dataset.stage);

/** In a fresh browser, without a server. kept: the stages stored as completed. */
async function learner(language, options, work, kept = {}) {
  const { context, page, errors } = await openPage(here.browser, {
    reducedMotion: 'reduce',
    locale: language,
    ...options,
  });
  try {
    await page.addInitScript((done) => {
      if (origin !== 'null') localStorage['rummyd:learned'] ??= JSON.stringify(done);
    }, kept);
    await answerFor(page, () => null);
    await work(page, textsOf(language));
    equal(errors, [], 'errors of the page');
  } finally {
    await context.close();
  }
}

const PATH_WINDOWS = {
  'a phone of 360': { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  'a phone held sideways': { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
  'a laptop of 1366': { viewport: { width: 1366, height: 650 } },
};

/** The target of the step is in the window, and no part of a meld is hidden. */
async function inSight(page, step) {
  equal(await hiddenMelds(page), [], `melds out of sight in step ${step}`);
  const outside = await page.locator('[data-guided]').evaluateAll((all) =>
    all
      .filter((el) => {
        const { left, right, top, bottom } = el.getBoundingClientRect();
        return left < -1 || top < -1 || right > innerWidth + 1 || bottom > innerHeight + 1;
      })
      .map((el) => el.outerHTML.slice(0, 80)),
  );
  equal(outside, [], `marks out of the window in step ${step}`);
}

for (const [i, [size, options]] of Object.entries(PATH_WINDOWS).entries())
  for (const language of languages(['en', 'de'], ['en', 'de'][i % 2]))
    test(`the path of Rummy 51 and its lesson on jokers in ${language}, ${size}`, () =>
      learner(
        language,
        options,
        async (page, texts) => {
          const press = (what, at) => (options.hasTouch ? what.tap(at) : what.click(at));
          await page.goto(`${here.origin}/lessons/rummy51`);
          await page.locator('[data-done="1"]').waitFor();
          equal(await onPath(page), { next: ['jokers'], done: ['guide'] }, 'the path after the guided hand');
          equal(await violations(page), [], 'axe on the path');
          await picture(page, `path ${size} ${language}`);
          await press(page.locator('[data-stage="jokers"] .btn'));
          for (const step of [1, 2, 3, 4]) {
            await page
              .locator('.guide small')
              .filter({ hasText: `${step}` })
              .waitFor();
            await page.locator('[data-guided]').first().waitFor();
            await inSight(page, step);
            await picture(page, `lesson ${size} ${language} ${step}`);
            if (step === 2) equal(await violations(page), [], 'axe in the lesson');
            await takeStep(page, press, texts);
          }
          const next = texts['path.next'].replace('{stage}', texts['lesson.lay_off']);
          await page.getByRole('link', { name: next }).waitFor();
          await inSight(page, 'done');
          equal(await violations(page), [], 'axe after the lesson');
          await picture(page, `lesson ${size} ${language} done`);
          await press(page.getByRole('link', { name: texts['path.all'] }));
          await page.locator('[data-done="2"]').waitFor();
          equal(
            await onPath(page),
            { next: ['lay_off'], done: ['guide', 'jokers'] },
            'the path after the lesson',
          );
        },
        { rummy51: ['guide'] },
      ));

test('the game at the end of a path has a clock and the coach, and brings the badge', () =>
  learner(
    'en',
    PATH_WINDOWS['a phone of 360'],
    async (page) => {
      await page.clock.install();
      await page.goto(`${here.origin}/lessons/points`);
      await page.locator('[data-stage="game"] .btn').tap();
      await page.locator('.seat.mine .seconds').waitFor();
      await page.locator('.coach, .advice').first().waitFor();
      await picture(page, 'game on the clock');
      /* Timeouts drop the hand after at most three turns. */
      for (let turn = 0; turn < 4 && (await page.locator('ol.scores').count()) === 0; turn++) {
        await page.clock.runFor(61_000);
        if (turn === 0) {
          await page.locator('[data-away-note]').getByText('Your time ran out once.').waitFor();
          await picture(page, 'game time is up');
        }
        await page.clock.runFor(5_000);
      }
      await page.locator('ol.scores').waitFor();
      await page.getByRole('link', { name: 'See your badge' }).tap();
      await page.getByText('You know Points rummy').waitFor();
      equal(await page.locator('main ol .btn.primary').count(), 0, 'gold buttons behind the end of the path');
      equal(await violations(page), [], 'axe on the path with its badge');
      await picture(page, 'path with the badge');
    },
    { points: ['guide', 'pure', 'drop'] },
  ));

test('it has its clock, too, when it is begun over a practice game that the browser keeps', () =>
  learner(
    'en',
    PATH_WINDOWS['a phone of 360'],
    async (page) => {
      await page.goto(`${here.origin}/practice`);
      await page.getByRole('button', { name: 'Start', exact: true }).tap();
      await page.locator('.hand [data-card]').first().waitFor();
      await page.goto(`${here.origin}/lessons/points`);
      await page.locator('[data-stage="game"] .btn').tap();
      await page.locator('.kept').waitFor();
      await page.getByRole('button', { name: 'Start', exact: true }).tap();
      await page.locator('.seat.mine .seconds').waitFor();
      await page.locator('.coach, .advice').first().waitFor();
    },
    { points: ['guide', 'pure', 'drop'] },
  ));

for (const size of WINDOWS) {
  const options = SIZES[size];
  test(`the rules at the table, ${size}`, () =>
    atTable(
      async (page) => {
        await inMenu(page, 'Rules');
        const rules = page.locator('.rulebook');
        await rules.waitFor();
        const words = await rules.innerText();
        check(/at least 60 points/.test(words), 'the changed minimum is not in the rules');
        check((await rules.locator('svg.face').count()) > 10, 'no pictures of cards');
        const wide = await page.evaluate(() => {
          const box = document.querySelector('.modal');
          return box.scrollWidth - box.clientWidth;
        });
        check(wide <= 1, `the rules are ${wide} px too wide`);
        await picture(page, `rules ${size}`);
      },
      { options, snapshot: { ...scene(), params: { opening_min: 60 } } },
    ));
  test(`the coach suggests a discard with its reason, ${size}`, () =>
    atTable(
      async (page, stage) => {
        answerLegal(
          stage,
          stage.snapshot.hand.filter((name) => !name.startsWith('X')),
        );
        await inMenu(page, 'Coach');
        const coach = page.locator('.coach');
        await coach.waitFor();
        check(/^Discard the /m.test(await coach.innerText()), `it says: ${await coach.innerText()}`);
        await picture(page, `coach ${size}`);
        const covered = await page.evaluate(() => {
          const box = document.querySelector('.advice').getBoundingClientRect();
          const off = (r) =>
            r.right <= box.left || r.left >= box.right || r.bottom <= box.top || r.top >= box.bottom;
          return ['[data-anchor="stock"]', '[data-anchor="discard"]'].filter((pile) => {
            const found = document.querySelector(pile);
            return !found || !off(found.getBoundingClientRect());
          });
        });
        equal(covered, [], 'piles under the coach');
        await coach.locator('button').click();
        await lastOf(stage, 'discard');
        equal(stage.commands('discard').length, 1, 'discards that were sent');
      },
      { options, snapshot: practice() },
    ));
}
test('a hint adds up the melds, lays them all with one button, and then suggests a discard', () => {
  const melds = ['5S1 6S1 7S2 8S1', 'JC1 QC1 KC2'].map((cards) => ({
    t: 'meld',
    d: { cards: cards.split(' ') },
  }));
  const seats = scene().seats.map((seat) => ({ ...seat, opened: false }));
  return atTable(
    async (page, stage) => {
      const left = () => melds.slice(stage.commands('meld').length);
      const discards = ['2D1', '9H2'].map((name) => ({ t: 'discard', d: { cards: [name] } }));
      stage.answer = (frame) => {
        if (frame.t !== 'legal') return stage.ack(frame);
        const moves = [...left(), ...discards];
        stage.send({ t: 'legal', id: frame.id, v: stage.v, d: { types: ['meld', 'discard'], moves } });
      };
      await page.keyboard.press('h');
      const panel = page.getByRole('group', { name: 'Hints' });
      await panel.getByText('These 2 melds bring you to 56: lay them and open.').waitFor();
      await panel.getByRole('button', { name: 'Lay all 56' }).click();
      await panel.getByText(/^Discard the (2♦|9♥)/).waitFor();
      equal(
        stage.commands('meld').map(({ d }) => d),
        melds.map(({ d }) => d),
        'melds that were laid',
      );
      await panel.getByRole('button', { name: 'Discard' }).click();
      await lastOf(stage, 'discard');
    },
    { snapshot: scene({ seats }) },
  );
});
test('the rules of every game are read without an account, on a phone', async () => {
  const { context, page, errors } = await openPage(here.browser, SIZES['a phone of 360']);
  try {
    await answerFor(page, () => ({ status: 401, json: { code: 'unauthorized' } }));
    await page.goto(`${here.origin}/rules`);
    await page.locator('[data-variant]').first().waitFor();
    const ids = await page.locator('[data-variant]').evaluateAll((all) => all.map((a) => a.dataset.variant));
    equal(ids.length, 10, 'games');
    await picture(page, 'rules index');
    for (const id of ids) {
      await page.locator(`[data-variant="${id}"]`).click();
      await page.locator('.rulebook h2').first().waitFor();
      check(page.url().endsWith(`/rules/${id}`), `at ${page.url()}`);
      const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      check(over <= 0, `${id}: ${over} px too wide`);
      if (id === 'pool101') await picture(page, 'rules pool101');
      await page.goBack();
      await page.locator('[data-variant]').first().waitFor();
    }
    equal(
      errors.filter((line) => !/401/.test(line)),
      [],
      'errors of the page',
    );
  } finally {
    await context.close();
  }
});
test('no coach where chips are at stake', () =>
  atTable(async (page) => {
    await page.locator('.table-bar [data-dropdown-menu-trigger]').click();
    await page.locator('.menu-item').first().waitFor();
    equal(await page.locator('.menu-item', { hasText: 'Coach' }).count(), 0, 'switches');
  }));
