/* Safe areas: on a phone whose screen is round or has a notch, nothing that is read or tapped lies at its edges, whichever way it
 * is held. On every page and in every moment of a table, no server behind it. E2E_SHOTS names a folder for a picture of each. */
import { join } from 'node:path';
import { ANSWERS } from './lib/answers.mjs';
import { openPage, turnTo } from './lib/browser.mjs';
import { PHONE } from './lib/board.mjs';
import { equal, test } from './lib/harness.mjs';
import { MOMENTS, showMoment } from './lib/moments.mjs';
import { Site } from './lib/site.mjs';
import { scene, Stage } from './lib/stage.mjs';
import { PAGES, STRANGERS } from './lib/views.mjs';

const HELD = {
  upright: { viewport: { width: 390, height: 844 }, insets: { top: 47, right: 12, bottom: 34, left: 12 } },
  sideways: { viewport: { width: 844, height: 390 }, insets: { top: 14, right: 47, bottom: 21, left: 47 } },
};
const ALONE = ['/learn', '/learn/rummy51', '/practice', '/rules', '/rules/rummy51', '/replay'];

async function inset(page, insets) {
  const cdp = await page.context().newCDPSession(page);
  await cdp.send('Emulation.setSafeAreaInsetsOverride', { insets });
}

/** What is read or tapped and reaches into the edges: those at the sides anywhere, that at the top of a page that is not scrolled,
 * that at the bottom of one that is scrolled to its end. Of what scrolls in a box of its own, what the box shows. */
async function atTheEdges(page, insets) {
  return page.evaluate(({ top, right, bottom, left }) => {
    const what = 'button, a, input, select, textarea, summary, [data-card], [data-seat], .pile';
    const words = (el) => [...el.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== '');
    const seen = (el) => {
      let { x, y, right: r, bottom: b } = el.getBoundingClientRect();
      for (let box = el.parentElement; box && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflowY === 'visible') continue;
        const clip = box.getBoundingClientRect();
        [x, y, r, b] = [Math.max(x, clip.x), Math.max(y, clip.y), Math.min(r, clip.right), Math.min(b, clip.bottom)];
      }
      return { x, y, r, b };
    };
    const found = (scrolled, edges) => {
      scrollTo({ top: scrolled, behavior: 'instant' });
      return [...document.querySelectorAll('body *')].flatMap((el) => {
        if (!(el.matches(what) || words(el)) || el.closest('.sr-only, svg, .flights, .skip:not(:focus)')) return [];
        if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
        const { x, y, r, b } = seen(el);
        if (r <= Math.max(x, 0) || b <= Math.max(y, 0) || x >= innerWidth || y >= innerHeight) return [];
        const over = { left: x < left - 0.5, right: r > innerWidth - right + 0.5, top: y < top - 0.5, bottom: b > innerHeight - bottom + 0.5 };
        return edges.filter((edge) => over[edge]).map((edge) => `${edge}: ${el.ariaLabel ?? (el.innerText?.slice(0, 40) || el.className)}`);
      });
    };
    return [...new Set([...found(0, ['left', 'right', 'top']), ...found(document.body.scrollHeight, ['bottom'])])];
  }, insets);
}

async function shot(page, name) {
  if (process.env.E2E_SHOTS) await page.screenshot({ path: join(process.env.E2E_SHOTS, `insets-${name}.png`) });
}

async function moments(browser, origin, held, options, insets) {
  const { context, page, errors } = await openPage(browser, options);
  const stage = await new Stage(page).set();
  await inset(page, insets);
  for (const [name, moment] of Object.entries(MOMENTS))
    await test(`nothing lies at the edges of a phone held ${held} at a table: ${name}`, async () => {
      stage.begin(moment.snapshot ?? scene());
      await (page.url().startsWith(origin) ? turnTo(page, '/nosuch') : page.goto(`${origin}/nosuch`));
      await page.getByText('There’s nothing at this address').waitFor();
      await showMoment(page, stage, origin, moment, (path) => turnTo(page, path));
      await shot(page, `${held}-table-${name}`);
      equal(await atTheEdges(page, insets), [], 'at the edges');
      equal(errors.splice(0), [], 'errors of the page');
    });
  await context.close();
}

async function pages(browser, origin, held, options, insets, paths, stranger) {
  const site = await new Site().open(browser, origin, { ...options, stranger });
  site.begin(ANSWERS);
  await inset(site.page, insets);
  await site.goto('/nosuch');
  for (const path of paths)
    await test(`nothing lies at the edges of a phone held ${held} on ${path}${stranger ? ' of a stranger' : ''}`, async () => {
      await site.turn(path);
      await site.page.getByRole('heading', { level: 1 }).first().waitFor();
      await shot(site.page, `${held}${stranger ? '-stranger' : ''}${path.replaceAll('/', '-')}`);
      equal(await atTheEdges(site.page, insets), [], 'at the edges');
      site.clean();
    });
  await site.context.close();
}

export async function insetTests(browser, origin) {
  for (const [held, { viewport, insets }] of Object.entries(HELD)) {
    const options = { ...PHONE, deviceScaleFactor: 1, reducedMotion: 'reduce', viewport };
    await moments(browser, origin, held, options, insets);
    await pages(browser, origin, held, options, insets, [...PAGES, ...ALONE], false);
    await pages(browser, origin, held, options, insets, STRANGERS, true);
  }
}
