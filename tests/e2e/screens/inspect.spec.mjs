/* Each inspector detects its fault, on a small document that has one fault at a time. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fontsCome, openPage } from '../lib/browser.mjs';
import { inspect, INSPECTORS } from '../lib/inspect.mjs';
import { expect, test } from '../lib/test.mjs';

const ASSETS = fileURLToPath(new URL('../../../web/dist/assets', import.meta.url));
const OWN_FONT = readdirSync(ASSETS).find((name) => /^noto-sans-latin-[\w-]{4}\.woff2$/.test(name));

const NOTCH = { top: 47, right: 12, bottom: 34, left: 12 };
const WHERE = {
  ...{ view: 'made up', size: 'a phone of 360', language: 'de', insets: NOTCH, words: ['Deine Karten'] },
  asked: ['/v1/me', '/v1/wallet'],
};
const ALL = Object.keys(INSPECTORS);

const STYLE = `
  @font-face { font-family: Own; src: url(/own.woff2); }
  body { margin: 0; padding: 47px 12px 34px; font: 16px Own; }
  button { min-width: 44px; min-height: 44px; font: inherit; }
  .short { width: 60px; overflow: hidden; white-space: nowrap; }`;

const document = ({ body = '', title = 'Karten · Rummy 51', lang = 'de' }) => `<!doctype html>
  <html lang="${lang}" dir="ltr"><head><meta name="viewport" content="width=device-width"><title>${title}</title>
  <style>${STYLE}</style></head>
  <body><main class="page"><h1>Deine Karten</h1><button>Los</button>${body}</main></body></html>`;

/** Inspector → the fault on the page, and the finding. */
const FAULTS = {
  axe: [{ body: '<img src="/icon.svg" width="20">' }, /axe: image-alt \(1\): img/],
  wide: [{ body: '<p style="width: 372px; height: 9px"></p>' }, /wide: the page by \d\d px/],
  cut: [{ body: '<p class="short">Donaudampfschifffahrt</p>' }, /cut: Donaudampfschifffahrt/],
  overlap: [
    {
      body: `<p style="margin: 0">Zug um Zug</p><p style="margin: -20px 0 0 9px">Runde</p>
        <style>dd::before { content: attr(data-what); display: block }</style>
        <dd data-what="Erstmeldungen" style="width: 60px">9</dd>`,
    },
    /overlap: Zug um Zug and Runde\n.*overlap: longer than its box: Erstmeldungen/,
  ],
  targets: [{ body: '<button style="min-width: 20px; width: 20px">x</button>' }, /targets: x: 20×44/],
  edges: [{ body: '<p style="position: relative; left: -10px">Zug</p>' }, /edges: left: Zug/],
  /* Without a monospace font the system substitutes another font. */
  fonts: [{ body: '<p style="font-family: monospace">Joker</p>' }, /fonts: DejaVu Sans( Mono)?: Joker/],
  words: [
    { body: '<p>Try again</p><p>nav.games</p><p>{n} Karten</p>', lang: 'fr' },
    /the document is fr.*in English: Try again.*a key: nav\.games.*not filled: \{n\} Karten/s,
  ],
  calm: [
    { title: 'Rummy', body: '<p role="alert">Zu viele Anfragen</p>' },
    /it is called Rummy\n.*it went wrong: Zu viele Anfragen/,
  ],
  said: [{ body: '<style>h1 { display: none }</style><h1></h1>' }, /said: not read: Deine Karten/],
  once: [{}, /once: fetched twice: \/v1\/me/, { asked: ['/v1/me', '/v1/me'] }],
};

let opened = null;
let shown = {};
test.beforeAll(async ({ browser, origin }) => {
  opened = await openPage(browser, { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  await opened.page.route('**/own.woff2', (route) => route.fulfill({ path: join(ASSETS, OWN_FONT) }));
  await opened.page.route(`${origin}/made-up`, (route) =>
    route.fulfill({ contentType: 'text/html; charset=utf-8', body: document(shown) }),
  );
});
test.afterAll(() => opened?.context.close());

async function findings(origin, fault, where) {
  shown = fault;
  await opened.page.goto(`${origin}/made-up`);
  await fontsCome(opened.page);
  return inspect(opened.page, { ...WHERE, ...where }, ALL);
}

test('a page without a fault has no findings', async ({ origin }) => {
  expect(await findings(origin, {})).toEqual([]);
});

for (const [name, [fault, finding, where]] of Object.entries(FAULTS))
  test(`${name} finds its fault, and names the place`, async ({ origin }) => {
    const found = await findings(origin, fault, where);
    expect(
      found.filter((line) => line.startsWith(`made up, a phone of 360, de: ${name}: `)).join('\n'),
    ).toMatch(finding);
  });

test('axe measures each kind of text once, and finds a bad one anywhere', async ({ origin }) => {
  const contrasts = new Set();
  expect(await findings(origin, {}, { contrasts })).toEqual([]);
  expect(contrasts.size, 'kinds that are good').toBeGreaterThan(1);
  const pale = { body: '<p>Zug</p><p style="color: #ccc">Zug</p>' };
  for (const time of ['once', 'again'])
    expect((await findings(origin, pale, { contrasts })).join(), time).toMatch(
      /axe: color-contrast \(1\): p/,
    );
});

test('no inspector is without a fault that it finds', () => {
  expect(Object.keys(FAULTS)).toEqual(Object.keys(INSPECTORS));
});
