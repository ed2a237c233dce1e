#!/usr/bin/env node
/* Measures how smooth the table's animations are on a slow phone: the built page in Debian's Chromium, 390 × 844 with
 * touch and a throttled processor. A table without a server (tests/e2e/lib/stage.mjs) plays a sequence of events: a
 * deal, a card dragged around, turns of all four players with draws, melds, and discards, and the player's win with
 * its rewards and stars.
 *
 *   bench/motion.mjs [--runs N] [--rate R] [--scale S] [--trace FOLDER] [DIST…]
 *
 * DIST: folders with built pages, measured alternately (default web/dist). --rate: slowdown relative to this machine
 * (4). --scale: device pixels per CSS pixel (1), because here the CPU draws what a phone's graphics processor draws.
 * --trace: the folder for a trace of each part of the last run, for Chromium's DevTools. For each part, prints the
 * medians of the values that trace.mjs reads. No code of the benchmark runs in the page meanwhile, because counting
 * frames there would slow each of them. The part `box` is a page with only a moving box in the same browser, which is
 * the best that this machine can do. Requires a built web/ and the packages of tests/e2e. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { card, settled } from '../tests/e2e/lib/board.mjs';
import { launch, openPage } from '../tests/e2e/lib/browser.mjs';
import { ends } from '../tests/e2e/lib/moments.mjs';
import { Stage } from '../tests/e2e/lib/stage.mjs';
import { serveStatic } from '../tests/e2e/lib/static.mjs';
import { CATEGORIES, read } from './trace.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/* ---- events ---------------------------------------------------------------------------------------------------- */

const HAND = '5S1 6S1 7S2 8S1 9D1 9H2 9C1 JC1 QC1 KC2 2D1 3D2 TH1 4C2'.split(' ');
const FLIGHT_MS = 450;

async function deal(stage) {
  stage.event('dealt', 0, { cards: HAND, hand_no: 2, stock_n: 50 });
  for (const seat of [1, 2, 3]) stage.event('dealt', seat, { n: 14, stock_n: 50 });
  await wait(1500);
}

/** Plays a seat's turn; melds: the cards of each meld. */
async function turn(stage, seat, round, { drawn, melds = [], thrown }) {
  stage.event('turn', seat, { round, phase: 'draw' });
  stage.send({ t: 'clock', d: { seat, ms_left: 30_000, turn_ms: 30_000 } });
  await wait(FLIGHT_MS);
  stage.event('drew', seat, { from: 'stock', ...(seat === 0 && { card: drawn }), must_open: false });
  await wait(FLIGHT_MS);
  for (const { id, kind, low, cards } of melds)
    stage.event('melded', seat, { meld: id, kind, low, cards: cards.split(' '), staged: false, worth: 26 });
  if (melds.length > 0) {
    stage.event('opened', seat, {});
    await wait(FLIGHT_MS);
  }
  stage.event('discarded', seat, { cards: [thrown], buried: false });
  await wait(FLIGHT_MS);
}

async function turns(stage) {
  const run = (id, low, cards) => ({ id, kind: 'run', low, cards });
  const set = (id, low, cards) => ({ id, kind: 'set', low, cards });
  await turn(stage, 1, 1, { thrown: '3C1' });
  await turn(stage, 2, 1, {
    thrown: 'JS1',
    melds: [run(1, 8, '9H1 TH2 JH1 X1 KH2'), set(2, 6, '7C1 7D1 7H1')],
  });
  await turn(stage, 3, 1, {
    thrown: '8H2',
    melds: [set(3, 12, 'KS1 KD1 X3 KC1'), run(4, 0, 'AS1 2S1 3S2 4S1')],
  });
  await turn(stage, 0, 1, {
    drawn: 'AH1',
    thrown: '2D1',
    melds: [run(5, 4, '5S1 6S1 7S2 8S1'), set(6, 8, '9D1 9H2 9C1')],
  });
  await turn(stage, 1, 2, { thrown: '5D1' });
  await turn(stage, 2, 2, { thrown: 'QH1' });
  await turn(stage, 3, 2, { thrown: '6H2' });
  await turn(stage, 0, 2, { drawn: '8D2', thrown: '4C2' });
}

async function win(stage) {
  ends(stage);
  await wait(5500);
}

/** Drags the last card over the hand and back for the duration of another player's turn. */
async function carry(stage, page) {
  const box = await page.locator(card(HAND.at(-1))).boundingBox();
  await page.mouse.move(box.x + 8, box.y + 30);
  await page.mouse.down();
  const began = performance.now();
  for (let s = 0; s < 1.5; s = (performance.now() - began) / 1000)
    await page.mouse.move(195 + 150 * Math.cos(s * 4), box.y + 30 + 40 * Math.sin(s * 8));
  await page.mouse.move(box.x + 8, box.y + 30);
  await page.mouse.up();
}

const PARTS = { deal, carry, turns, win };

/* ---- measurements ---------------------------------------------------------------------------------------------- */

async function traced(browser, { page, stage }, path, play) {
  await browser.startTracing(page, { categories: CATEGORIES });
  await play(stage, page);
  await page.waitForFunction(() => document.querySelector('.flights > *') === null, undefined, {
    polling: 250,
  });
  const trace = await browser.stopTracing();
  if (path) writeFileSync(path, trace);
  return read(trace, play === carry);
}

async function throttle(context, page, rate) {
  const cdp = await context.newCDPSession(page);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
}

/** Measures the best that a browser can do on this machine. */
async function moveBox(browser, { rate, scale, folder }) {
  const { context, page } = await openPage(browser, { ...PHONE, plain: false, deviceScaleFactor: scale });
  await page.setContent('<div style="width: 60px; height: 84px; background: #fdf7ea"></div>');
  await throttle(context, page, rate);
  const got = await traced(browser, { page }, folder && join(folder, 'box.json'), () =>
    page.evaluate(() =>
      document
        .querySelector('div')
        .animate({ transform: ['none', 'translate(300px, 500px)'] }, 2000)
        .finished.then(() => undefined),
    ),
  );
  await context.close();
  return got;
}

/** Makes one run; returns the measurements of each part. */
async function run(browser, origin, { rate, scale, folder }) {
  const got = { box: await moveBox(browser, { rate, scale, folder }) };
  const { context, page, errors } = await openPage(browser, {
    ...PHONE,
    plain: false,
    deviceScaleFactor: scale,
  });
  const stage = await new Stage(page).set();
  await page.goto(`${origin}/table/917`);
  await page.waitForSelector('.hand [data-card]');
  await settled(page);
  await throttle(context, page, rate);
  for (const [name, play] of Object.entries(PARTS))
    got[name] = await traced(browser, { page, stage }, folder && join(folder, `${name}.json`), play);
  if (errors.length > 0 || !(await page.locator('[data-gain]').isVisible()))
    throw new Error(`the game did not reach its end: ${errors.join('\n')}`);
  await context.close();
  return got;
}

/* ---- the command ------------------------------------------------------------------------------------------------------ */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '3' },
    rate: { type: 'string', default: '4' },
    scale: { type: 'string', default: '1' },
    trace: { type: 'string' },
  },
});
const dists = positionals.length > 0 ? positionals : [fileURLToPath(new URL('../web/dist', import.meta.url))];
const how = { rate: Number(values.rate), scale: Number(values.scale) };
const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
console.log(
  `processor ${how.rate} times slower, ${how.scale} device pixels for one; load before: ${loadavg()[0].toFixed(1)}`,
);
if (values.trace) mkdirSync(values.trace, { recursive: true });
const browser = await launch({ whole: true });
const runs = dists.map(() => []);
for (let i = 0; i < Number(values.runs); i++)
  for (const [n, dist] of dists.entries()) {
    const server = await serveStatic(dist, 0);
    const last = i === Number(values.runs) - 1 && n === dists.length - 1;
    runs[n].push(
      await run(browser, `http://127.0.0.1:${server.address().port}`, {
        ...how,
        folder: last ? values.trace : undefined,
      }),
    );
    server.close();
  }
await browser.close();
for (const [n, dist] of dists.entries()) {
  const figures = Object.keys(runs[n][0].box);
  console.log(
    `${dist}, ${runs[n].length} runs\n${'part'.padEnd(8)}${figures.map((name) => name.padStart(9)).join('')}`,
  );
  for (const part of Object.keys(runs[n][0]))
    console.log(
      part.padEnd(8) +
        figures
          .map((name) =>
            median(runs[n].map((got) => got[part][name]))
              .toFixed(1)
              .padStart(9),
          )
          .join(''),
    );
}
console.log(`load after: ${loadavg()[0].toFixed(1)}`);
