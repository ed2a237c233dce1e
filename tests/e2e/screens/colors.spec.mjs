/* The page's two color schemes: which one is active, and that text is readable on everything it scrolls
 * over. E2E_SHOTS is the folder for screenshots. */
import { violations } from '../lib/axe.mjs';
import { openPage } from '../lib/browser.mjs';
import { check, equal, LONG } from '../lib/harness.mjs';
import { MOMENTS, showMoment } from '../lib/moments.mjs';
import { contrasts } from '../lib/pixels.mjs';
import { here, test } from '../lib/screens.mjs';
import { Site } from '../lib/site.mjs';
import { scene, Stage } from '../lib/stage.mjs';
import { quiet, views } from '../lib/views.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, motionless: true };
/** Pages that together have each kind of text outside panels; the long form measures all pages. */
const READ = LONG
  ? /^(page|stranger|rich|new|wrong)-/
  : /^(page-(lobby|profile|nosuch)|stranger-(entrance|join-full))$/;
const TEXT = 4.5;
const LARGE = 3;

const sites = new Map();
async function siteOf(colorScheme, stranger) {
  const name = `${colorScheme} ${stranger}`;
  if (!sites.has(name))
    sites.set(name, await new Site().open(here.browser, here.origin, { ...PHONE, colorScheme, stranger }));
  return sites.get(name);
}

/** Text with too little contrast in the window. */
async function tooFaint(page) {
  return (await contrasts(page))
    .filter(({ large, contrast }) => contrast < (large ? LARGE : TEXT))
    .map(({ text, contrast }) => `${text}: ${contrast.toFixed(2)}`);
}

/** The same at each scroll position of the page. */
async function faint(page) {
  const found = new Set();
  for (let top = 0; ; top += PHONE.viewport.height - 160) {
    await page.evaluate((y) => scrollTo({ top: y, behavior: 'instant' }), top);
    for (const text of await tooFaint(page)) found.add(text);
    if (await page.evaluate(() => scrollY + innerHeight >= document.documentElement.scrollHeight - 1)) break;
  }
  return [...found];
}

const READABLE = Object.entries(views()).filter(([name]) => READ.test(name));
for (const look of LONG ? ['dark', 'light'] : ['light'])
  for (const [name, { path, answers, stranger = false }] of READABLE)
    test(`${name} can be read in the ${look} look`, async () => {
      const site = await siteOf(look, stranger);
      site.begin(answers);
      await site.goto(path);
      await quiet(site.page);
      equal(await faint(site.page), [], 'faint texts');
      await site.shot(`${look}-${name}`);
      equal(await violations(site.page), [], 'violations');
    });

for (const name of ['groups', 'indian', 'waiting', 'end'])
  test(`table-${name} can be read in the light look`, async () => {
    const options = { ...PHONE, colorScheme: 'light', reducedMotion: 'reduce' };
    const { context, page } = await openPage(here.browser, options);
    const stage = await new Stage(page).set();
    stage.begin(MOMENTS[name].snapshot ?? scene());
    await showMoment(page, stage, here.origin, MOMENTS[name]);
    equal(await tooFaint(page), [], 'faint texts');
    await context.close();
  });

test('the look is the system’s until the player chooses one, and the browser’s bar follows', async () => {
  const site = await siteOf('light', false);
  const { page } = site;
  const shown = () =>
    page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const bars = [...document.querySelectorAll('meta[name="theme-color"]')].map((bar) => bar.content);
      const ground = style.getPropertyValue('--night-1');
      return { look: document.documentElement.dataset.look, bars: bars.map((bar) => bar === ground) };
    });
  site.begin();
  await site.goto('/games');
  equal(await shown(), { look: 'light', bars: [true, true] }, 'a light system');
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.waitForFunction(() => document.documentElement.dataset.look === 'dark');
  equal(await shown(), { look: 'dark', bars: [true, true] }, 'the system changes');
  await page.evaluate(() => localStorage.setItem('rummyd:settings', JSON.stringify({ look: 'light' })));
  await site.goto('/games');
  equal(await shown(), { look: 'light', bars: [true, true] }, 'a dark system and the player’s light look');
  check(
    (await page.evaluate(() => getComputedStyle(document.body).colorScheme)) === 'light',
    'forms are dark',
  );
  await page.evaluate(() => localStorage.removeItem('rummyd:settings'));
  await page.emulateMedia({ colorScheme: 'light' });
});
