#!/usr/bin/env node
/* Measures how long a new user on a slow phone waits for the page: Debian's Chromium with an empty cache, 390 × 844
 * with touch, a throttled processor, and a connection like Lighthouse's slow 4G (1.6 Mbit/s down, 0.75 up, 150 ms per
 * request). A server with a separate database serves the built page compressed (tests/e2e/lib/server.mjs).
 *
 *   bench/firstload.mjs [--runs N] [--rate R] [--line LINE] [--files] [DIST…]
 *
 * DIST: folders with built pages, measured alternately (default web/dist). --rate: slowdown relative to this machine
 * (4). --line: `slow4g` (default), or `none` for no throttling. Prints the median, the minimum, and the maximum of the
 * runs:
 *   entrance   from the request to the button "Play now", without a session
 *   table      from the request of a table in play until the player's cards are at rest and the socket is open
 * Also prints the work of the main thread, in ms of the slow processor, and the bytes received until then; with
 * --files, also each file of the last run. The WebSocket is not throttled. Requires the server, web/, and the packages
 * of tests/e2e. */
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { launch, MEASURED, openPage } from '../tests/e2e/lib/browser.mjs';
import { Platform, ROOT } from '../tests/e2e/lib/server.mjs';

const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, deviceScaleFactor: 2 };
const BYTES_PER_MBIT = 1e6 / 8;
const SLOW_4G = {
  offline: false,
  latency: 150,
  downloadThroughput: 1.6 * BYTES_PER_MBIT,
  uploadThroughput: 0.75 * BYTES_PER_MBIT,
};
const WAIT_MS_MAX = 60_000;
const SHOWN = { entrance: 'main form .primary', table: '.hand [data-card]' };

/** Runs in the page: reports when the element was first drawn and at rest, in ms after the request. Observes frames
 * only once the element exists, because each observation causes a frame, which takes time on a slow processor. */
function watch(selector) {
  const look = () => {
    const all = [...document.querySelectorAll(selector)];
    const still = all.every((el) => el.getAnimations().every((a) => a.playState !== 'running'));
    requestAnimationFrame(still ? () => window.shown(String(performance.now())) : look);
  };
  const observer = new MutationObserver(() => {
    if (!document.querySelector(selector)) return;
    observer.disconnect();
    requestAnimationFrame(look);
  });
  observer.observe(document, { childList: true, subtree: true });
}

async function post(platform, path, body, guest) {
  const headers = {
    'Content-Type': 'application/json',
    'Idempotency-Key': crypto.randomUUID(),
    ...(guest && { Authorization: `Bearer ${guest.access_token}` }),
  };
  const answer = await fetch(platform.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

function within(promise, otherwise) {
  return Promise.race([
    promise,
    new Promise((_, reject) => setTimeout(reject, WAIT_MS_MAX, new Error(otherwise))),
  ]);
}

const enters = (page, session) =>
  page.addInitScript((s) => localStorage.setItem('rummyd:session', JSON.stringify(s)), session);

/** A guest at a table whose deal another browser has already shown. */
async function seated(browser, platform) {
  const guest = await post(platform, '/v1/auth/guest', { nickname: `Mia${Date.now() % 1e6}` });
  const seat = await post(platform, '/v1/rooms/desert/seats', {}, guest);
  const found = {
    path: `/table/${seat.table_id}`,
    session: { access: guest.access_token, renewAt: Date.now() + 1e9, refresh: guest.refresh_token },
  };
  const { context, page } = await openPage(browser, { plain: false });
  await enters(page, found.session);
  await page.goto(platform.url + found.path);
  await page.waitForSelector(SHOWN.table);
  await context.close();
  return found;
}

async function opened(browser, platform, { rate, line }, selector, { path, session }) {
  const { context, page, errors } = await openPage(browser, { ...PHONE, plain: false });
  if (session) await enters(page, session);
  await page.addInitScript(watch, selector);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Network.enable');
  if (line === 'slow4g') await cdp.send('Network.emulateNetworkConditions', SLOW_4G);
  await cdp.send('Emulation.setCPUThrottlingRate', { rate });
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' }); // CPU time, because wall time depends on other load
  await cdp.send('Runtime.enable');
  await cdp.send('Runtime.addBinding', { name: 'shown' }); // polling the page would cost it work
  const shown = new Promise((done) =>
    cdp.on('Runtime.bindingCalled', ({ name, payload }) => name === 'shown' && done(Number(payload))),
  );
  await page.goto(platform.url + path, { waitUntil: 'commit' });
  const ms = await within(shown, `${selector} is not shown`);
  const got = await page.evaluate((end) => {
    const all = [
      ...performance.getEntriesByType('navigation'),
      ...performance.getEntriesByType('resource'),
    ].filter((entry) => entry.responseEnd <= end);
    const files = all.map(({ name, startTime, responseEnd, transferSize }) => ({
      path: new URL(name).pathname,
      from: startTime,
      to: responseEnd,
      kb: transferSize / 1000,
    }));
    return { requests: all.length, kb: files.reduce((sum, file) => sum + file.kb, 0), files };
  }, ms);
  const { metrics } = await cdp.send('Performance.getMetrics');
  const busy = 1000 * metrics.find((metric) => metric.name === 'TaskDuration').value;
  const painted = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0,
  );
  await context.close();
  if (errors.length > 0) throw new Error(errors.join('\n'));
  return { ms, painted, busy, ...got };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    runs: { type: 'string', default: '5' },
    rate: { type: 'string', default: '4' },
    line: { type: 'string', default: 'slow4g' },
    files: { type: 'boolean', default: false },
  },
});
const how = { rate: Number(values.rate), line: values.line };
const dists = positionals.length > 0 ? positionals : [join(ROOT, 'web/dist')];
const PARTS = { entrance: async () => ({ path: '/' }), table: seated };
const said = (all, key, digits = 0) => {
  const sorted = all.map((one) => one[key]).sort((a, b) => a - b);
  return [sorted[Math.floor(sorted.length / 2)], sorted[0], sorted.at(-1)].map((value) =>
    value.toFixed(digits),
  );
};

console.log(`processor ${how.rate} times slower, line ${how.line}; load before: ${loadavg()[0].toFixed(1)}`);
console.log(`browser: ${MEASURED}`);
const browser = await launch({ whole: true });
const platform = await new Platform().start();
const runs = dists.map(() => Object.fromEntries(Object.keys(PARTS).map((part) => [part, []])));
try {
  for (let i = 0; i < Number(values.runs); i++)
    for (const [n, dist] of dists.entries()) {
      if (dists.length > 1 || positionals.length > 0) {
        await platform.stopServer();
        platform.flags = { web_dir: dist };
        await platform.startServer();
      }
      for (const [part, made] of Object.entries(PARTS))
        runs[n][part].push(await opened(browser, platform, how, SHOWN[part], await made(browser, platform)));
    }
} finally {
  await browser.close();
  await platform.stop();
}
for (const [n, dist] of dists.entries())
  for (const part of Object.keys(PARTS)) {
    const all = runs[n][part];
    const [[ms, low, high], [painted], [busy], [requests], [kb]] = [
      'ms',
      'painted',
      'busy',
      'requests',
      'kb',
    ].map((key) => said(all, key));
    console.log(
      `${dist} ${part.padEnd(9)} ${ms} ms (${low} – ${high}), first words ${painted} ms, main thread ${busy} ms, ${requests} requests, ${kb} kB, ${all.length} runs`,
    );
    if (values.files)
      for (const { path, from, to, kb: size } of all.at(-1).files)
        console.log(
          `${from.toFixed(0).padStart(7)} – ${to.toFixed(0).padStart(5)} ms ${size.toFixed(1).padStart(6)} kB  ${path}`,
        );
  }
console.log(`load after: ${loadavg()[0].toFixed(1)}`);
