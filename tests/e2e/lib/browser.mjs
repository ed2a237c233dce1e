/* Debian's Chromium, with the options that all browser tests need. */
import { existsSync } from 'node:fs';
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

/** Headless Chromium, which takes half of the CPU time and suffices for tests. */
const SHELL = '/usr/bin/chromium-headless-shell';
/** The browser that players have: for benchmarks. `scripts/install` does not install it, because no test
 * needs it. */
const WHOLE = '/usr/bin/chromium';
/** The browser for benchmarks: the full one if it is installed. */
export const MEASURED = process.env.CHROMIUM ?? (existsSync(WHOLE) ? WHOLE : SHELL);

/** The machine's fonts are disabled, so that all machines render the same, except in tests about fonts. */
export function launchOptions({ machineFonts = false, whole = false } = {}) {
  const executablePath = whole ? MEASURED : (process.env.CHROMIUM ?? SHELL);
  const env = machineFonts ? process.env : { ...process.env, FONTCONFIG_FILE: ONE_WIDE_FONT };
  return { executablePath, headless: true, args: FLAGS, env };
}

/** Debian's Firefox, which Playwright controls through WebDriver BiDi. */
export const firefoxOptions = () => ({
  executablePath: process.env.FIREFOX ?? '/usr/bin/firefox-esr',
  args: [],
  env: { ...process.env, FONTCONFIG_FILE: ONE_WIDE_FONT },
});

export const launch = (options) => chromium.launch(launchOptions(options));

/** On a starved machine tests are slow but correct: they wait for conditions, and passing runs never wait
 * this long. */
export const WAIT_MS = Number(process.env.E2E_WAIT_MS ?? 120_000);

/** Shadows and blur do not affect layout or results; without a GPU they would take most of the time. */
function plainPaint() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(
    '*, *::before, *::after { filter: none !important; backdrop-filter: none !important; box-shadow: none !important; text-shadow: none !important; }',
  );
  document.adoptedStyleSheets.push(sheet);
}

/** No transitions: after each change of the window they would take half of the CPU time. */
function noMotion() {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, *::before, *::after { animation: none !important; transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}

/** The browser would mix the table's sounds all the time while the table is open. */
function noSound() {
  delete window.AudioContext;
}

/** Screenshots are taken with all effects. */
export const PICTURED = ['E2E_SHOTS', 'PICTURES', 'RUMMY_PICTURES', 'RUMMY_PICTURES_ALL'].some(
  (name) => process.env[name],
);

/** A page that records its own errors. `motionless`: without CSS animations and transitions; `sound`: with
 * sounds. */
export async function openPage(
  browser,
  { plain = !PICTURED, motionless = false, sound = false, ...options } = {},
) {
  const context = await browser.newContext({
    viewport: { width: 1440, height: 900 },
    serviceWorkers: 'block',
    colorScheme: 'dark',
    ...options,
  });
  context.setDefaultTimeout(WAIT_MS);
  const page = await context.newPage();
  await counting(context, page);
  if (plain) await page.addInitScript(plainPaint);
  if (!sound) await page.addInitScript(noSound);
  if (motionless) await page.addInitScript(noMotion);
  const errors = [];
  /* The last one comes from Firefox, for a socket that a reload ends. */
  const expected = /Failed to load resource|WebSocket connection|The connection to ws\S+ was interrupted/;
  page.on('pageerror', (error) => errors.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' && !expected.test(message.text())) errors.push(message.text());
  });
  return { context, page, errors };
}

/** Stores a value in every document of a page or a context. Firefox also runs this in its blank first page,
 * which has no storage. */
export const keepValue = (target, name, value) =>
  target.addInitScript(
    ([key, kept]) => {
      if (origin !== 'null') localStorage.setItem(`rummyd:${key}`, JSON.stringify(kept));
    },
    [name, value],
  );

export const keepSession = (target, session) => keepValue(target, 'session', session);

/** Opens another page in the same document, because a new document would have to be fetched and compiled
 * again. Its title must be announced again. */
export function turnTo(page, path) {
  return page.evaluate((to) => {
    document.title = '';
    history.pushState(null, '', to);
    dispatchEvent(new PopStateEvent('popstate'));
  }, path);
}

/** Waits until no text is shown in a fallback font. */
export function fontsCome(page) {
  return page.evaluate(async () => void (await document.fonts.ready));
}

/** For screenshots in the documents: a tenth of their size as PNG. */
export const JPEG_QUALITY = 85;
export const SIZES = { laptop: { width: 1280, height: 800 }, phone: { width: 360, height: 740 } };

/** Takes a screenshot at phone width and then one at laptop width, which the page keeps. */
export async function pictures(page, folder, name) {
  for (const [size, viewport] of Object.entries(SIZES).reverse()) {
    await page.setViewportSize(viewport);
    await page.screenshot({ path: join(folder, `${name}-${size}.png`), animations: 'disabled' });
  }
}

const FIT_MS = 30_000;
/** In this order; the test continues in the last window. */
const LOOKED_AT = [1366, 360];
export const WALKED = { width: LOOKED_AT.at(-1), height: 800 };

/** Checks that nothing is wider than the window, at laptop and phone width; E2E_SHOTS is the folder for a
 * screenshot of each. */
export async function fitsBoth(page, name) {
  await fontsCome(page);
  for (const width of LOOKED_AT) {
    await page.setViewportSize({ ...WALKED, width });
    const fits = (at) => document.documentElement.scrollWidth <= at;
    // Scripts adapt to the window a moment later.
    await page.waitForFunction(fits, width, { timeout: FIT_MS }).catch(async () => {
      const wide = await page.evaluate((at) => document.documentElement.scrollWidth - at, width);
      throw new Error(`${name} is ${wide} px too wide at ${width}`);
    });
    if (process.env.E2E_SHOTS)
      await page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}-${width}.png`), fullPage: true });
  }
}
