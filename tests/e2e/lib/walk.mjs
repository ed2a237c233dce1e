/* The walk over all pages and all moments of a table: which inspector (inspect.mjs) runs where, and how to
 * get there. A page is shown once per language and kind of device, in all its window sizes in turn, and all
 * inspectors check it there. */
import { openPage, turnTo } from './browser.mjs';
import { settled } from './board.mjs';
import { LONG } from './harness.mjs';
import { inspect } from './inspect.mjs';
import { MOMENTS, showMoment } from './moments.mjs';
import { Site } from './site.mjs';
import { scene, Stage } from './stage.mjs';
import { LANGUAGES, SHOWN } from './texts.mjs';
import { quiet, views } from './views.mjs';
import { WORDS } from './words.mjs';

const NOTCH_ABOVE = { top: 47, right: 12, bottom: 34, left: 12 };
const NOTCH_ASIDE = { top: 14, right: 47, bottom: 21, left: 47 };
const touch = (width, height, insets) => ({ device: 'touch', viewport: { width, height }, insets });

export const SIZES = {
  'a phone of 360': touch(360, 740),
  'a phone of 320': touch(320, 568),
  'a small phone held sideways': touch(740, 360),
  'a phone held sideways': touch(844, 390),
  'a phone with a notch': touch(390, 844, NOTCH_ABOVE),
  'a phone with a notch held sideways': touch(844, 390, NOTCH_ASIDE),
  'a tablet of 768': touch(768, 1024),
  'a laptop of 1366': { device: 'mouse', viewport: { width: 1366, height: 768 } },
};
const DEVICES = { touch: { hasTouch: true, isMobile: true }, mouse: {} };

/** Each language is used on some pages, the first ones also at a table, so that another language makes the
 * walk only slightly longer. */
const AT_TABLES = [...SHOWN.slice(1), 'en-XA', 'ar-XB'];
const ON_PAGES = LANGUAGES.filter((tag) => tag !== 'en' && tag !== 'en-XA');

/* Subject of a row of the plan: views by their names, moments with the prefix `table-`. */
const all = {
  ...views(),
  ...Object.fromEntries(Object.entries(MOMENTS).map(([name, moment]) => [`table-${name}`, { moment }])),
};
const named = (pattern) => Object.keys(all).filter((name) => pattern.test(name));
const PAGES = named(/^page-(?!join|invite-)/);
const STRANGERS = named(
  /^stranger-(entrance|forgot|reset|sign-in|nosuch|friends|leaderboards|join-AB3D9K|join-full|join-over|join-club|join-gone|invite-5F0C6CF2)$/,
);
const ALONE = named(/^alone-/);
const TABLES = named(/^table-/);
const WORDED = Object.keys(WORDS).filter((name) => name.startsWith('page-'));
const RICH_OR_NEW = Object.keys(WORDS).filter((name) => !name.startsWith('page-'));

const row = (inspectors, languages, sizes, names) => ({ inspectors, languages, sizes, names });
const [PHONE, LAPTOP, TABLET, NARROW] = [
  'a phone of 360',
  'a laptop of 1366',
  'a tablet of 768',
  'a phone of 320',
];
const NOTCHED = ['a phone with a notch', 'a phone with a notch held sideways'];
/** Moments that need special layouts in a low window. */
const WIDEST_TABLES = ['play', 'groups', 'hints', 'chat', 'settings', 'end', 'declared', 'hand-end'].map(
  (name) => `table-${name}`,
);
const TOLD_TABLES = ['table-indian', 'table-play', 'table-end'];

/** Each view in one of the languages and one of the sizes, so that all combinations of language and size
 * occur. */
const rotating = (inspectors, languages, sizes, names) =>
  names.map((name, i) =>
    row(
      inspectors,
      [languages[i % languages.length]],
      [sizes[Math.floor(i / languages.length) % sizes.length]],
      [name],
    ),
  );

const everySecond = (names) => names.filter((_, i) => i % 2 === 0);
const otherSecond = (names) => names.filter((_, i) => i % 2 === 1);

/** The test language with long words covers all pages in the narrowest window. */
const PLAN = [
  row(['axe'], ['en'], [PHONE], [...PAGES, ...STRANGERS, ...ALONE, 'offline-lobby']),
  row(['axe', 'edges'], ['en'], [NOTCHED[0]], TABLES),
  row(['edges'], ['en'], [NOTCHED[1]], WIDEST_TABLES),
  ...rotating(['edges'], ['en'], NOTCHED, [...PAGES, ...STRANGERS, ...ALONE]),
  row(['axe'], ['en'], [LAPTOP], ['table-settings', 'table-rules', 'table-coach']),
  row(['calm', 'said', 'wide', 'targets'], ['en'], [PHONE], [...WORDED, ...RICH_OR_NEW]),
  row(['words', 'cut'], ['en'], [PHONE], [...PAGES, ...STRANGERS]),
  row(['calm', 'said', 'wide', 'once', 'fonts'], ['en'], [LAPTOP], everySecond(WORDED)),
  row(['once', 'fonts'], ['en'], [LAPTOP], ['page-games-31', 'gone-players-999']),
  row(['fonts'], ['en'], [LAPTOP], ['table-play', 'table-indian']),
  row(['wide', 'cut', 'targets'], ['en', 'de', 'hi'], [PHONE], ['table-inviting']),
  row(['wide', 'cut', 'words'], ['en-XA'], [NARROW], otherSecond(PAGES)),
  ...rotating(['wide', 'cut', 'words'], ON_PAGES, [PHONE, NARROW], everySecond(PAGES)),
  row(['wide', 'cut'], ['ta'], [NARROW], ['page-games']),
  row(['wide', 'cut', 'words'], ['en-XA'], [NARROW], TOLD_TABLES),
  ...AT_TABLES.map((language, i) =>
    row(['wide', 'cut', 'words'], [language], [NARROW], [TOLD_TABLES[i % TOLD_TABLES.length]]),
  ),
  ...['hi', 'en-XA', 'ar-XB'].map((language, i) =>
    row(['wide', 'cut'], [language], ['a small phone held sideways'], [TOLD_TABLES[i]]),
  ),
];

/** Additions of RUMMY_LONG=1 (scripts/test windows). */
const MORE = [
  row(['calm', 'said', 'wide', 'once', 'fonts'], ['en'], [LAPTOP], WORDED),
  row(['axe'], ['en'], [PHONE], TABLES),
  row(['axe'], ['en'], ['a phone held sideways'], ['table-settings', 'table-rules', 'table-coach']),
  row(['axe'], ['en'], [LAPTOP], [...PAGES, ...STRANGERS, ...ALONE, ...TABLES]),
  row(['edges'], ['en'], NOTCHED, [...PAGES, ...STRANGERS, ...ALONE, ...TABLES]),
  row(['calm', 'said', 'wide'], ['en'], [TABLET], WORDED),
  row(['wide', 'cut', 'overlap', 'words', 'fonts'], LANGUAGES, [PHONE], PAGES),
  row(['wide', 'cut'], LANGUAGES, [NARROW], PAGES),
  row(['wide', 'cut', 'overlap', 'words'], LANGUAGES, [PHONE], [...STRANGERS, ...ALONE]),
  row(['wide', 'cut'], LANGUAGES, [PHONE], TABLES),
  row(['wide', 'cut', 'words'], LANGUAGES.slice(1), [NARROW], TOLD_TABLES),
  row(['wide', 'cut'], ['hi', 'en-XA', 'ar-XB'], ['a small phone held sideways'], TOLD_TABLES),
];

/** The viewer: a player on the pages, a visitor without a session, or a player at a table. */
const viewer = ({ moment, stranger }) => (moment ? 'table' : stranger ? 'stranger' : 'player');

/** One group for each language, device, and viewer, whose views share an open page: view → size →
 * inspectors. */
export function groups() {
  const found = new Map();
  for (const { inspectors, languages, sizes, names } of LONG ? [...PLAN, ...MORE] : PLAN)
    for (const language of languages)
      for (const size of sizes)
        for (const name of names) {
          const { device } = SIZES[size];
          const key = [language, device, viewer(all[name])].join();
          const group = found.get(key) ?? { language, device, viewer: viewer(all[name]), views: {} };
          found.set(key, group);
          const view = (group.views[name] ??= {});
          view[size] = [...new Set([...(view[size] ?? []), ...inspectors])];
        }
  for (const group of found.values()) sort(group);
  return [...found.values()];
}

/** Views and sizes in the order above, so that the window of a page rarely changes. */
function sort(group) {
  const ordered = (object, order) =>
    Object.fromEntries(order.filter((name) => name in object).map((name) => [name, object[name]]));
  group.views = ordered(group.views, Object.keys(all));
  for (const name of Object.keys(group.views))
    group.views[name] = ordered(group.views[name], Object.keys(SIZES));
}

/** The page's stored values, at each load. */
const speaks = (tag) => localStorage.setItem('rummyd:language', JSON.stringify(tag));

/** A finding may come from a moment in which the page still adapts to its window, which takes long on a
 * slow machine. Only persistent findings count. */
const FOLLOWS_MS = 20_000;

/** One per device and viewer, which walks the groups of all languages, because a new page would have to
 * compile everything again. */
const walkers = new Map();

export async function walkerOf(group, browser, origin) {
  const key = [group.device, group.viewer].join();
  const walker = walkers.get(key) ?? new Walker();
  walkers.set(key, walker);
  walker.group = group;
  if (!walker.page) await walker.open(browser, origin);
  await walker.speak(group.language);
  return walker;
}

export class Walker {
  async open(browser, origin) {
    const { device, viewer: who } = this.group;
    this.origin = origin;
    const options = {
      ...DEVICES[device],
      reducedMotion: 'reduce',
      motionless: true,
      viewport: SIZES[PHONE].viewport,
    };
    if (who === 'table') {
      Object.assign(this, await openPage(browser, options));
      this.stage = await new Stage(this.page).set();
    } else {
      this.site = await new Site().open(browser, origin, { ...options, stranger: who === 'stranger' });
      Object.assign(this, { page: this.site.page, context: this.site.context, errors: this.site.errors });
    }
    this.cdp = await this.context.newCDPSession(this.page);
    this.asked = [];
    this.page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (request.method() === 'GET' && pathname.startsWith('/v1/')) this.asked.push(pathname);
    });
    return this;
  }

  /** Sets the language from the next load on. */
  async speak(language) {
    if (this.language === language) return;
    await this.page.addInitScript(speaks, language);
    this.language = language;
    this.loaded = false;
  }

  /** Opens the view in a page of this size, without state from earlier tests. */
  async show(name, size) {
    await this.resize(size);
    const { moment, ...view } = all[name];
    await (moment ? this.showMoment(moment) : this.showPage(view));
  }

  async showMoment(moment) {
    const { page, stage, origin } = this;
    stage.begin(moment.snapshot ?? scene());
    await (this.loaded ? turnTo(page, '/nosuch') : page.goto(`${origin}/nosuch`));
    this.loaded = true;
    await page.locator('.table-page').waitFor({ state: 'detached' });
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.mouse.move(0, 0);
    await showMoment(page, stage, origin, moment, (path) => turnTo(page, path));
  }

  /** On a laptop, and with changed responses, each page is loaded in full. */
  async showPage({ path, answers, make, loading }) {
    const { site, page } = this;
    const whole =
      !this.loaded ||
      this.group.device === 'mouse' ||
      answers !== this.answers ||
      this.made ||
      path.includes('#');
    this.loaded = true;
    this.answers = answers;
    this.made = make;
    site.begin(answers);
    this.asked.length = 0;
    if (whole) await site.goto(path);
    else await site.turn(path);
    if (whole) await quiet(page, loading);
    await make?.(page);
  }

  async resize(size) {
    if (this.size === size) return;
    const { viewport, insets = { top: 0, right: 0, bottom: 0, left: 0 } } = SIZES[size];
    await Promise.all([
      this.page.setViewportSize(viewport),
      this.cdp.send('Emulation.setSafeAreaInsetsOverride', { insets }),
    ]);
    this.size = size;
    if ((await this.page.locator('.hand [data-card]').count()) > 0) await settled(this.page);
  }

  /** All findings about this view, in each of its sizes. */
  async visit(name) {
    const found = [];
    const sizes = Object.entries(this.group.views[name]);
    if (this.size === sizes.at(-1)[0]) sizes.reverse(); // starts with the last window of the previous view
    for (const [nth, [size, inspectors]] of sizes.entries()) {
      if (nth === 0 || all[name].moment?.fleeting) await this.show(name, size);
      else await this.resize(size);
      found.push(...(await this.look(name, size, inspectors)));
    }
    const errors = this.errors.splice(0);
    return [
      ...found,
      ...errors.map((error) => `${name}, ${this.group.language}: error of the page: ${error}`),
    ];
  }

  async look(view, size, inspectors) {
    const where = {
      ...{ view, size, language: this.group.language, insets: SIZES[size].insets },
      ...{ words: WORDS[view], asked: this.asked },
      rules: view === 'table-menu' ? MENU_RULES : {},
    };
    const end = Date.now() + FOLLOWS_MS;
    let found = await inspect(this.page, where, inspectors);
    while (found.length > 0 && Date.now() < end) found = await inspect(this.page, where, inspectors);
    return found;
  }
}

/** A menu closes as soon as the focus leaves it, so it does not need to be in a landmark. */
const MENU_RULES = { region: { enabled: false } };
