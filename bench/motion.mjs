#!/usr/bin/env node
/* How smoothly the table moves on a slow phone: the built page in Debian's Chromium, 390 × 844 with touch, its processor
 * throttled. A table without a server (tests/e2e/lib/stage.mjs) plays a run of events: a deal, turns of all four with draws,
 * melds and throws, and the own win with what it brought and its stars.
 *
 *   bench/motion.mjs [--runs N] [--rate R] [--scale S] [--trace FILE] [DIST…]
 *
 * DIST: folders with built pages, measured by turns (default web/dist). --rate: so many times slower than this machine (4).
 * --scale: device pixels for one of CSS (1): what a phone's graphics card draws is drawn by the processor here.
 * --trace: what Chromium did in the last run, for its DevTools. Prints for each part of the run the median over the runs of:
 * frames a second; median and 95th percentile of the time between two frames; the share of those over 20 ms while cards fly
 * (in the part `win`, while stars fall); how busy the main thread was, and with what. Needs web/ built and tests/e2e's packages. */
import { loadavg } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { settled } from '../tests/e2e/lib/board.mjs';
import { launch, openPage } from '../tests/e2e/lib/browser.mjs';
import { ends } from '../tests/e2e/lib/moments.mjs';
import { Stage } from '../tests/e2e/lib/stage.mjs';
import { serveStatic } from '../tests/e2e/lib/static.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true };
const LATE_MS = 20;
const WORK = { script: 'ScriptDuration', style: 'RecalcStyleDuration', layout: 'LayoutDuration', all: 'TaskDuration' };
const wait = (ms) => new Promise((done) => setTimeout(done, ms));

/* ---- what is played ------------------------------------------------------------------------------------------------- */

const HAND = '5S1 6S1 7S2 8S1 9D1 9H2 9C1 JC1 QC1 KC2 2D1 3D2 TH1 4C2'.split(' ');
const FLIGHT_MS = 450;

async function deal(stage) {
  stage.event('dealt', 0, { cards: HAND, hand_no: 2, stock_n: 50 });
  for (const seat of [1, 2, 3]) stage.event('dealt', seat, { n: 14, stock_n: 50 });
  await wait(1500);
}

/** One seat's turn; melds: cards of each that it lays. */
async function turn(stage, seat, round, { drawn, melds = [], thrown }) {
  stage.event('turn', seat, { round, phase: 'draw' });
  stage.send({ t: 'clock', d: { seat, ms_left: 30_000, turn_ms: 30_000 } });
  await wait(FLIGHT_MS);
  stage.event('drew', seat, { from: 'stock', ...(seat === 0 && { card: drawn }), must_open: false });
  await wait(FLIGHT_MS);
  for (const { id, kind, low, cards } of melds) stage.event('melded', seat, { meld: id, kind, low, cards: cards.split(' '), staged: false, worth: 26 });
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
  await turn(stage, 2, 1, { thrown: 'JS1', melds: [run(1, 8, '9H1 TH2 JH1 X1 KH2'), set(2, 6, '7C1 7D1 7H1')] });
  await turn(stage, 3, 1, { thrown: '8H2', melds: [set(3, 12, 'KS1 KD1 X3 KC1'), run(4, 0, 'AS1 2S1 3S2 4S1')] });
  await turn(stage, 0, 1, { drawn: 'AH1', thrown: '2D1', melds: [run(5, 4, '5S1 6S1 7S2 8S1'), set(6, 8, '9D1 9H2 9C1')] });
  await turn(stage, 1, 2, { thrown: '5D1' });
  await turn(stage, 2, 2, { thrown: 'QH1' });
  await turn(stage, 3, 2, { thrown: '6H2' });
  await turn(stage, 0, 2, { drawn: '8D2', thrown: '4C2' });
}

async function win(stage) {
  ends(stage);
  await wait(5500);
}

const PARTS = { deal, turns, win };

/* ---- what is measured ------------------------------------------------------------------------------------------------- */

/** In the page: when each frame was begun, and whether anything was in the air. */
function watchFrames() {
  window.frames = [];
  const look = (at) => {
    window.frames.push([at, document.querySelector('.flights > *, .confetti > *') !== null]);
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const median = (values) => at([...values].sort((a, b) => a - b), 0.5);

function judge(frames, work, seconds) {
  const steps = frames.slice(1).map(([now, flies], i) => ({ ms: now - frames[i][0], flies }));
  const ms = steps.map((step) => step.ms).sort((a, b) => a - b);
  const flying = steps.filter((step) => step.flies);
  const busy = Object.fromEntries(Object.entries(work).map(([name, s]) => [name, (100 * s) / seconds]));
  return { fps: (1000 * steps.length) / ms.reduce((a, b) => a + b, 0), p50: at(ms, 0.5), p95: at(ms, 0.95), late: (100 * flying.filter((step) => step.ms > LATE_MS).length) / flying.length, ...busy };
}

async function workOf(cdp) {
  const { metrics } = await cdp.send('Performance.getMetrics');
  const value = (name) => metrics.find((metric) => metric.name === name).value;
  return Object.fromEntries(Object.entries(WORK).map(([name, metric]) => [name, value(metric)]));
}

/** One run: what was measured, by part. */
async function run(browser, origin, { rate, scale, trace }) {
  const { context, page, errors } = await openPage(browser, { ...PHONE, plain: false, deviceScaleFactor: scale });
  const stage = await new Stage(page).set();
  await page.goto(`${origin}/table/917`);
  await page.waitForSelector('.hand [data-card]');
  await settled(page);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable');
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
  await page.evaluate(watchFrames);
  if (trace) await browser.startTracing(page, { path: trace });
  const got = {};
  for (const [name, play] of Object.entries(PARTS)) {
    const [before, began] = [await workOf(cdp), performance.now()];
    await page.evaluate(() => (window.frames.length = 0));
    await play(stage);
    const frames = await page.evaluate(() => window.frames);
    const [after, seconds] = [await workOf(cdp), (performance.now() - began) / 1000];
    got[name] = judge(frames, Object.fromEntries(Object.keys(WORK).map((key) => [key, after[key] - before[key]])), seconds);
  }
  if (trace) await browser.stopTracing();
  if (errors.length > 0 || !(await page.locator('[data-gain]').isVisible())) throw new Error(`the game did not reach its end: ${errors.join('\n')}`);
  await context.close();
  return got;
}

/* ---- the command ------------------------------------------------------------------------------------------------------ */

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { runs: { type: 'string', default: '3' }, rate: { type: 'string', default: '4' }, scale: { type: 'string', default: '1' }, trace: { type: 'string' } },
});
const dists = positionals.length > 0 ? positionals : [fileURLToPath(new URL('../web/dist', import.meta.url))];
const how = { rate: Number(values.rate), scale: Number(values.scale) };
console.log(`processor ${how.rate} times slower, ${how.scale} device pixels for one; load before: ${loadavg()[0].toFixed(1)}`);
const browser = await launch();
const runs = dists.map(() => []);
for (let i = 0; i < Number(values.runs); i++)
  for (const [n, dist] of dists.entries()) {
    const server = await serveStatic(dist, 0);
    const last = i === Number(values.runs) - 1 && n === dists.length - 1;
    runs[n].push(await run(browser, `http://127.0.0.1:${server.address().port}`, { ...how, trace: last ? values.trace : undefined }));
    server.close();
  }
await browser.close();
for (const [n, dist] of dists.entries()) {
  console.log(`${dist}, ${runs[n].length} runs\n${'part'.padEnd(8)}${['frames/s', 'p50 ms', 'p95 ms', `>${LATE_MS} ms %`, 'script %', 'style %', 'layout %', 'main %'].map((head) => head.padStart(10)).join('')}`);
  for (const part of Object.keys(PARTS)) {
    const row = Object.keys(runs[n][0][part]).map((key) => median(runs[n].map((got) => got[part][key])).toFixed(1).padStart(10));
    console.log(part.padEnd(8) + row.join(''));
  }
}
console.log(`load after: ${loadavg()[0].toFixed(1)}`);
