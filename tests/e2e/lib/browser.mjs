/* Debian's Chromium, as everything that needs a browser starts it. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { counting } from './coverage.mjs';

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--font-render-hinting=none',
];

const ONE_WIDE_FONT = fileURLToPath(new URL('../fonts.conf', import.meta.url));

/** Chromium without a window, for half of the processor's time: what tests need of it. */
const SHELL = '/usr/bin/chromium-headless-shell';
/** As people have it: for what is measured. */
const WHOLE = '/usr/bin/chromium';

/** The machine's fonts are taken away, so that all machines show the same, but where a test is about them. */
export function launchOptions({ machineFonts = false, whole = false } = {}) {
  const executablePath = process.env.CHROMIUM ?? (whole ? WHOLE : SHELL);
  const env = machineFonts ? process.env : { ...process.env, FONTCONFIG_FILE: ONE_WIDE_FONT };
  return { executablePath, headless: true, args: FLAGS, env };
}

export const launch = (options) => chromium.launch(launchOptions(options));

/** A starved machine is slow, not wrong: what is waited for is a condition, and green runs never wait so long. */
export const WAIT_MS = Number(process.env.E2E_WAIT_MS ?? 120_000);

/** Shadows and blur change no place and no answer; without a graphics card most of the time would go into them. */
function plainPaint() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, *::before, *::after { filter: none !important; backdrop-filter: none !important; box-shadow: none !important; text-shadow: none !important; }',
  );
  document.adoptedStyleSheets.push(sheet);
}

/** Nothing is on its way: after each change of the window, half of the processor's time goes into transitions. */
function noMotion() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}

/** The sounds of the table would be mixed all the time that it is open. */
function noSound() {
  delete window.AudioContext;
}

/** Whoever looks at pictures sees the page as it is. */
export const PICTURED = ['E2E_SHOTS', 'PICTURES', 'RUMMY_PICTURES', 'RUMMY_PICTURES_ALL'].some(
  (name) => process.env[name],
);

/** A page that remembers its own errors. `motionless`: without CSS animations and transitions; `sound`: with sounds. */
export async function openPage(
  browser,
  { plain = !PICTURED, motionless = false, sound = false, ...options } = {},
) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await counting(context, page);
  if (plain) await page.addInitScript(plainPaint);
  if (!sound) await page.addInitScript(noSound);
  if (motionless) await page.addInitScript(noMotion);
  const errors = [];
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !/Failed to load resource|WebSocket connection/.test(message.text()))
      errors.push(message.text());
  });
  return { context, page, errors };
}

/** Another page of the same document: a new one would have to be fetched and compiled again. Its title is to be said anew. */
export function turnTo(page, path) {
  return page.evaluate((to) => {
    document.title = '';
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Until nothing is shown in a font that only stands in. */
export function fontsCome(page) {
  return page.evaluate(async () => void (await document.fonts.ready));
}

/** Of the pictures in the documents: a tenth of what they are as PNG. */
export const JPEG_QUALITY = 85;
export const SIZES = { laptop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** A picture as wide as a phone and one as wide as a laptop, which the page keeps. */
export async function pictures(page, folder, name) {
  for (const [size, viewport] of Object.entries(SIZES).reverse()) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: join(folder, `${name}-${size}.png`), animations: 'disabled' });
  }
}

const FIT_MS = 30_000;
/** In the window's order: the last is the one that the page is used in. */
const LOOKED_AT = [1366, 360];
export const WALKED = { width: LOOKED_AT.at(-1), height: 800 };

/** Nothing is wider than the window, as wide as a laptop and as a phone; E2E_SHOTS names a folder for a picture of each. */
export async function fitsBoth(page, name) {
  await fontsCome(page);
  for (const width of LOOKED_AT) {
    await page.setViewportSize({ ...WALKED, width });
    const fits = (at) => document.documentElement.scrollWidth <= at;
    // What follows the window by a script does so a moment later.
    await page.waitForFunction(fits, width, { timeout: FIT_MS }).catch(async () => {
      const wide = await page.evaluate((at) => document.documentElement.scrollWidth - at, width);
      throw new Error(`${name} is ${wide} px too wide at ${width}`);
    });
    if (process.env.E2E_SHOTS)
      await page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}-${width}.png`), fullPage: true });
  }
}
