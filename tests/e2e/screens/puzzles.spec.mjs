/* Puzzles with mocked responses, without a server: the daily puzzle, an answer by touch, mouse, and keyboard,
 * announcements, visitors without an account, and errors. E2E_SHOTS is the folder for screenshots. */
import { join } from 'node:path';
import { ANSWERS } from '../lib/answers.mjs';
import { violations } from '../lib/axe.mjs';
import { simulated } from '../lib/games.mjs';
import { counted, equal, languages, until } from '../lib/harness.mjs';
import { heard, overhear } from '../lib/heard.mjs';
import { DISCARD, tried } from '../lib/puzzles.mjs';
import { here, test } from '../lib/screens.mjs';
import { AWAY, Site } from '../lib/site.mjs';
import { textsOf } from '../lib/texts.mjs';

const SIZES = {
  phone: { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true },
  sideways: { viewport: { width: 844, height: 390 }, hasTouch: true, isMobile: true },
  laptop: { viewport: { width: 1366, height: 650 } },
};
const card = (page, name) => page.locator(`.hand [data-card="${name}"]`);
const AT_ITS_EDGE = { position: { x: 8, y: 24 } };

/** Opens a separate page with these responses; it must end without errors. */
async function site(size, work, { more = {}, stranger = false, language = 'en', hears = false } = {}) {
  const one = await new Site().open(here.browser, here.origin, {
    ...SIZES[size],
    stranger,
    locale: language,
  });
  try {
    one.begin({ ...ANSWERS, '/v1/me': { ...ANSWERS['/v1/me'], language }, ...more });
    if (hears) await overhear(one.page);
    const shot = async (name) => {
      const { E2E_SHOTS: dir } = process.env;
      if (dir) await one.page.screenshot({ path: join(dir, `puzzles-${name}-${size}-${language}.png`) });
    };
    await work(one.page, one, shot);
    one.clean();
  } finally {
    await one.context.close();
  }
}

/** The page's verdict on a wrong and on a right answer, in the reader's language. */
const SAID = {
  en: {
    wrong: 'status: Not the best. The 5♦ is worth 62%, your K♦ 55%.',
    right: 'status: Right. The 5♦ is worth 62%, the 9♦ 60%.',
  },
  de: {
    wrong: 'status: Nicht die beste Wahl. 5♦ abzuwerfen ist 62 % wert, Ihre Karte K♦ 55 %.',
    right: 'status: Richtig. 5♦ abzuwerfen ist 62 % wert, 9♦ 60 %.',
  },
};

for (const language of languages(['en', 'de'], 'de')) {
  const texts = textsOf(language);
  const said = SAID[language];
  const plain = (lines) => lines.map((line) => line.replaceAll(/\s/g, ' '));

  test(`the puzzle of the day is solved by touch, and the next one follows, ${language}`, () =>
    site(
      'phone',
      async (page, { origin }, shot) => {
        await page.goto(`${origin}/puzzles`);
        await page.getByText(texts['puzzle.recent']).waitFor();
        equal(await violations(page), [], 'axe');
        await shot('page');
        await page.getByRole('link', { name: texts['puzzle.solve'] }).tap();
        await card(page, '5D1').waitFor();
        const discard = page.getByRole('button', { name: texts['puzzle.discard_none'], exact: true });
        equal(await discard.isDisabled(), true, 'a discard of no card');
        equal(await violations(page), [], 'axe');
        await shot('asked');
        await card(page, 'KD1').tap(AT_ITS_EDGE);
        await card(page, '5D1').tap(AT_ITS_EDGE);
        await counted(page.locator('.hand [aria-pressed=true]'), 1, 'chosen cards');
        await page.getByRole('button', { name: texts['puzzle.discard'].replace('{card}', '5♦') }).tap();
        await page.locator('.verdict').waitFor();
        equal(await card(page, '5D1').getAttribute('data-answered'), 'best', 'the ring of the best card');
        await until(async () => plain(await heard(page)).includes(said.right), 'the result is announced');
        equal(await violations(page), [], 'axe');
        await shot('right');
        await page.getByRole('button', { name: texts['puzzle.next'] }).tap();
        await page.waitForURL('**/puzzles/32');
        await page.locator('[data-choice=stock]').waitFor();
        await shot('draw');
        await page.locator('[data-choice=drop]').tap();
        await page.locator('.verdict').waitFor();
        await shot('drawn');
      },
      { language, hears: true },
    ));

  test(`by keyboard at 1366, and the game that it comes from, ${language}`, () =>
    site(
      'laptop',
      async (page, { origin }, shot) => {
        await page.goto(`${origin}/puzzles/31?theme=discard`);
        await card(page, '5D1').waitFor();
        await shot('asked');
        await card(page, 'KD1').focus();
        await page.keyboard.press('Space');
        await page.keyboard.press('t');
        await page.locator('.verdict h2').waitFor();
        equal(await page.evaluate(() => document.activeElement.localName), 'h2', 'what has the focus');
        equal(await card(page, 'KD1').getAttribute('data-answered'), 'own', 'the ring of the own card');
        equal(await card(page, '5D1').getAttribute('data-answered'), 'best', 'the ring of the best card');
        await until(async () => plain(await heard(page)).includes(said.wrong), 'the result is announced');
        equal(await violations(page), [], 'axe');
        await shot('wrong');
        const source = page.getByRole('link', { name: texts['puzzle.source'] });
        equal(await source.getAttribute('href'), '/games/31/replay?turn=3&move=1&seat=0', 'the moment');
        await page.keyboard.press('Tab');
        await page.keyboard.press('Enter');
        await page.waitForURL('**/puzzles/32?theme=discard');
        await page.locator('[data-choice=discard]').waitFor();
        await page.goto(`${origin}/puzzles`);
        await page.getByText(texts['puzzle.recent']).waitFor();
        await shot('page');
      },
      { language, hears: true },
    ));
}

test('on a phone held sideways the question and the answer are next to the table', () =>
  site('sideways', async (page, { origin }, shot) => {
    await page.goto(`${origin}/puzzles/31`);
    await card(page, '9D1').waitFor();
    await shot('asked');
    await card(page, '9D1').tap(AT_ITS_EDGE);
    await page.locator('[data-anchor=discard]').tap();
    await page.locator('.hand [data-card="5D1"][data-answered=best]').waitFor();
    await shot('answered');
    await page.goto(`${origin}/puzzles`);
    await page.getByText('Recent tries').waitFor();
    await shot('page');
  }));

test('a puzzle that was answered before shows the verdict at once, and takes no other', () => {
  const more = { '/v1/puzzles/31': { ...DISCARD, mine: tried('KD', null) } };
  return site(
    'laptop',
    async (page, { origin }) => {
      await page.goto(`${origin}/puzzles/31`);
      await page.getByText('The 5♦ is worth 62%, your K♦ 55%.').waitFor();
      await card(page, '9D1').click(AT_ITS_EDGE);
      await page.keyboard.press('t');
      await counted(page.locator('.verdict li'), 5, 'choices');
      await page.getByText('Not the best').waitFor();
    },
    { more },
  );
});

test('an address with a filter leads to its first puzzle, or reports that none is left', () =>
  site('laptop', async (page, one) => {
    await page.goto(`${one.origin}/puzzles?theme=draw&variant=points`);
    await page.waitForURL('**/puzzles/32?variant=points&theme=draw');
    await page.locator('[data-choice=drop]').waitFor();
    one.answers['/v1/puzzles/next'] = { code: 'no_puzzle', status: 404, title: 'None.' };
    await page.goto(`${one.origin}/puzzles?tag=high_cards`);
    await page.getByText('You’ve tried every puzzle of this kind.').waitFor();
  }));

test('a stranger sees the puzzle of the day, and enters to answer it', () => {
  const nobody = { code: 'unauthorized', status: 401, title: 'Sign in.' };
  return site(
    'phone',
    async (page, { origin }, shot) => {
      await page.goto(`${origin}/puzzles`);
      await page.getByText('A guest account is enough').waitFor();
      await page.getByRole('link', { name: 'Solve it' }).waitFor();
      await shot('stranger');
      await page.getByRole('link', { name: 'Solve it' }).tap();
      await card(page, '5D1').tap(AT_ITS_EDGE);
      await page.getByRole('button', { name: 'Discard 5♦' }).tap();
      await page.locator('.entrance').waitFor();
      await page.getByRole('button', { name: 'Back' }).tap();
      await card(page, '5D1').waitFor();
    },
    { stranger: true, more: { '/v1/me': nobody, '/v1/me/puzzles': nobody } },
  );
});

test('errors are shown, and the request is retried', () => {
  let away = true;
  const answer = (there) => (request) => {
    if (away) return AWAY;
    return typeof there === 'function' ? there(request) : there;
  };
  const more = Object.fromEntries(
    ['/v1/puzzles/daily', '/v1/puzzles/31', '/v1/me/puzzles'].map((path) => [path, answer(ANSWERS[path])]),
  );
  return site(
    'laptop',
    async (page, { origin }) => {
      await page.goto(`${origin}/puzzles`);
      await counted(page.getByRole('alert').filter({ hasText: 'having trouble' }), 2, 'what is wrong');
      await page.goto(`${origin}/puzzles/31`);
      await page.getByRole('alert').filter({ hasText: 'having trouble' }).waitFor();
      away = false;
      await page.getByRole('button', { name: 'Try again' }).click();
      await card(page, '5D1').waitFor();
    },
    { more },
  );
});

test('the lobby has the puzzle of the day, and whether it is done', () => {
  const daily = ANSWERS['/v1/puzzles/daily'];
  return site('phone', async (page, one, shot) => {
    await page.goto(`${one.origin}/`);
    const panel = page.locator('section', { has: page.getByRole('heading', { name: 'Puzzle of the day' }) });
    await panel.getByRole('link', { name: 'Solve it' }).waitFor();
    await panel.scrollIntoViewIfNeeded();
    await shot('lobby');
    one.answers['/v1/puzzles/daily'] = { ...daily, puzzle: { ...DISCARD, mine: tried('5D') } };
    await page.reload();
    await panel.getByText('Solved').waitFor();
    one.answers['/v1/puzzles/daily'] = { code: 'no_puzzle', status: 404, title: 'None.' };
    await page.reload();
    await page.getByText('Daily deal').first().waitFor();
    await counted(panel, 0, 'a panel without a puzzle');
  });
});

/** The player's last games: n games, all with the same record, and one more whose deal others are still
 * playing. */
function gamesOf(n, asked = []) {
  const record = simulated('rummy51', 2, 3);
  const game = ANSWERS['/v1/games'].items[0];
  const items = Array.from({ length: n }, (_, i) => ({ ...game, id: String(500 + n - i), took_part: true }));
  const of = ({ id }) => {
    const one = () => {
      asked.push(id);
      return { id, results: [{ seat: 0, player_id: '42' }] };
    };
    return [
      [`/v1/games/${id}`, one],
      [`/v1/games/${id}/record`, record],
    ];
  };
  const hidden = { ...game, id: '999', took_part: true, hidden: true };
  return { '/v1/games': { items: [hidden, ...items], next: null }, ...Object.fromEntries(items.flatMap(of)) };
}

/** What a browser has stored about 20 games. */
const KEPT = {
  version: 1,
  games: Object.fromEntries(
    Array.from({ length: 20 }, (_, i) => [
      String(501 + i),
      {
        hands: 1,
        sums: { high: [12, 144], opening: [6 + (i % 3), (6 + (i % 3)) ** 2], pile: [i % 2 ? 20 : -18, 400] },
      },
    ]),
  ),
};

for (const language of languages(['en', 'de'], 'en'))
  test(`after 20 games the costliest habits are shown, each game is judged once, ${language}`, () => {
    const asked = [];
    const texts = textsOf(language);
    return site(
      'phone',
      async (page, one, shot) => {
        await page.goto(`${one.origin}/puzzles`);
        await page
          .getByText(texts['habit.games_of'].replace('{n}', '12').replaceAll('{all}', '20'))
          .waitFor();
        await shot('games');
        Object.assign(one.answers, gamesOf(21, asked));
        await page.evaluate((kept) => (localStorage['rummyd:habits:42'] = JSON.stringify(kept)), KEPT);
        await page.reload();
        await page.locator('[data-habit=high]').waitFor();
        equal(asked, ['521'], 'games that are judged');
        const named = () =>
          page.locator('[data-habit]').evaluateAll((all) => all.map((el) => el.dataset.habit));
        equal(await named(), ['high', 'opening'], 'habits that cost more than chance');
        equal(await violations(page), [], 'axe');
        await page.locator('#habits').scrollIntoViewIfNeeded();
        await shot('habits');
        await page.setViewportSize(SIZES.laptop.viewport);
        await page.locator('#habits').scrollIntoViewIfNeeded();
        await shot('habits-wide');
        await page.reload();
        await page.locator('[data-habit=high]').waitFor();
        equal(asked, ['521'], 'games that are judged again');
        await page.locator('[data-habit=high] a').click();
        await page.waitForURL('**/puzzles/32?tag=high_cards');
        await page.locator('[data-choice=stock]').waitFor();
      },
      { language, more: gamesOf(12) },
    );
  });
