/* A game by ear: what a screen reader announces in a whole game, its replay and analysis, in a guided hand, and in a lesson, compared
 * with the transcripts in tests/e2e/spoken, written to be read aloud. The deal is fixed, and the bots play the same in every run. */
import { keepValue } from '../lib/browser.mjs';
import { equal, languages } from '../lib/harness.mjs';
import { heard, note, openHeard } from '../lib/heard.mjs';
import { Player } from '../lib/player.mjs';
import { here, test } from '../lib/screens.mjs';
import { answerFor } from '../lib/static.mjs';
import { textsOf } from '../lib/texts.mjs';
import { asWritten } from '../lib/transcript.mjs';
import { KEYBOARD } from '../lib/ways.mjs';

const LANGUAGES = { en: 'en-GB', de: 'de-DE' };
const LAPTOP = { viewport: { width: 1366, height: 768 }, reducedMotion: 'reduce' };
const SEED = '5e'.repeat(32);

/** A practice game before the deal. */
function undealt(texts, variant, bots) {
  const names = [texts['you'], ...texts['practice.names'].split(' ').slice(0, bots)];
  return { setting: { variant, names, me: 0, level: 'medium', tableId: '916' }, next: SEED, log: [] };
}

/** Every deal is the same, bots move at once, and results appear without a delay. */
function fixed() {
  crypto.getRandomValues = (bytes) => bytes.fill(7);
  const later = window.setTimeout;
  const LONGEST_MS = 2000;
  window.setTimeout = (act, ms = 0, ...more) => later(act, ms > 500 && ms < LONGEST_MS ? 10 : ms, ...more);
}

/** Plays by keyboard, and records each key press. */
const NOTED = {
  ...KEYBOARD,
  async act(page, what, key) {
    await note(
      page,
      key ? key.toUpperCase() : await what.evaluate((el) => el.ariaLabel ?? el.textContent.trim()),
    );
    await KEYBOARD.act(page, what, key);
  },
  async discard(page, card) {
    await note(page, `T (${card})`);
    await KEYBOARD.discard(page, card);
  },
};

async function byEar(language, path, work, kept = null) {
  const { context, page, errors } = await openHeard(here.browser, { ...LAPTOP, locale: LANGUAGES[language] });
  try {
    await page.addInitScript(fixed);
    if (kept) await keepValue(page, 'practice', kept);
    await answerFor(page, () => null);
    await page.goto(here.origin + path);
    await work(page);
    equal(errors, [], 'errors of the page');
  } finally {
    await context.close();
  }
}

/** Plays to the end. shown: for each moment of the player, the part to record when the moment first
 * occurs. */
async function playOut(page, texts, shown) {
  const once = new Set();
  const look = async (moment) => {
    if (once.has(moment)) return;
    once.add(moment);
    await shown[moment]?.();
  };
  const player = new Player(page, look, NOTED, texts);
  while (await player.waitTurn()) await player.turn();
  await page.locator('ol.scores').waitFor();
  await page.locator('[data-par="200"]').waitFor();
}

async function seeAgain(page, texts) {
  await page.getByRole('button', { name: texts['practice.see_again'] }).click();
  await page.locator('.controls').waitFor();
  const [, last] = (await page.locator('.controls .count').innerText()).split('/');
  for (let i = 0; i < Number(last); i++) {
    await page.keyboard.press('ArrowRight');
    await page.getByText(`${i + 1}/${last}`, { exact: true }).waitFor();
  }
}

async function analyse(page, texts) {
  await page.getByRole('button', { name: texts['analysis.begin'] }).click();
  await page.locator('[data-analysis]').waitFor();
}

/** The roles and names of a part of the page, as a screen reader finds them. */
async function tree(page, title, selector) {
  return [`# ${title}`, ...(await page.locator(selector).ariaSnapshot()).split('\n'), ''];
}

/** The next step of a guided hand or a lesson, as marked on the table: cards, then their destination; null
 * if nothing has changed. */
function wanted(taken) {
  if (document.querySelector('ol.scores, .guide.done')) return { over: true };
  const of = (kind) => [...document.querySelectorAll(`[data-guided=${kind}]`)];
  const cards = of('card').map((el) => el.dataset.card);
  const step = document.querySelector('.guide')?.dataset.step;
  if (cards.length > 0) return { cards };
  const [place] = of('place');
  if (!place || step === taken) return null;
  const chosen = document.querySelectorAll('.hand [aria-pressed=true]').length;
  return { step, chosen, at: place.dataset.anchor ?? place.dataset.meld ?? 'buttons' };
}

const KEY_AT = { stock: () => 'd', discard: (chosen) => (chosen > 0 ? 't' : 'f'), buttons: () => 'l' };

async function playGuided(page) {
  for (let taken = ''; ;) {
    const found = await page.waitForFunction(wanted, taken, { polling: 'raf' });
    const { over, cards, step, chosen, at } = await found.jsonValue();
    if (over) return;
    if (cards) {
      await note(page, `Space (${cards[0]})`);
      await page.focus(`.hand [data-card="${cards[0]}"]`);
      await page.keyboard.press('Space');
      continue;
    }
    const key = KEY_AT[at]?.(chosen);
    await note(page, key?.toUpperCase() ?? 'Enter');
    if (!key) await page.focus(`[data-meld="${at}"]`);
    await page.keyboard.press(key ?? 'Enter');
    taken = step;
  }
}

for (const language of languages(Object.keys(LANGUAGES), 'en')) {
  const texts = textsOf(language);
  test(`a game, its replay and its analysis, in ${language}`, () =>
    byEar(
      language,
      '/practice',
      async (page) => {
        const trees = [];
        const look = async (...what) => trees.push(...(await tree(page, ...what)));
        await page.getByRole('button', { name: texts['practice.go_on'] }).click();
        await playOut(page, texts, {
          draw: () => look("The player's side, before the first card is drawn", 'section.mine'),
          staged: () => look('The table, with a meld that is not enough to open', '.board'),
        });
        await note(page, texts['practice.see_again']);
        await seeAgain(page, texts);
        await look('The controls of the replay, at its end', '.foot');
        await note(page, texts['analysis.begin']);
        await analyse(page, texts);
        await look('The analysis', '.analysis');
        asWritten(`game.${language}`, await heard(page));
        asWritten(`tree.${language}`, trees);
      },
      undealt(texts, 'rummy51', 2),
    ));
  test(`the guided hand, in ${language}`, () =>
    byEar(language, '/learn', async (page) => {
      await playGuided(page);
      await page.locator('[role=dialog]').waitFor();
      asWritten(`guided.${language}`, await heard(page));
    }));
  test(`the lesson on jokers, in ${language}`, () =>
    byEar(language, '/lessons/rummy51/jokers', async (page) => {
      await playGuided(page);
      await page.locator('.guide.done').getByText(texts['path.lesson_done']).waitFor();
      asWritten(`lesson.${language}`, await heard(page));
    }));
}
