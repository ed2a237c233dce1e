/* Screenshots of every page and of every moment of a table, at five sizes and in all languages, with mocked
 * responses; browse them in var/gallery/index.html. `npm run gallery -- --page=REGEX --size=360,844x390
 * --language=de,hi --look=light` takes some of them and keeps the others. Needs the built page (web/dist)
 * and the program, whose bots play the game of the replay. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { settled } from './lib/board.mjs';
import { fontsCome, JPEG_QUALITY, keepValue, launch, openPage } from './lib/browser.mjs';
import { MOMENTS, showMoment } from './lib/moments.mjs';
import { Site } from './lib/site.mjs';
import { scene, Stage } from './lib/stage.mjs';
import { serveStatic } from './lib/static.mjs';
import { OFFERED } from './lib/texts.mjs';
import { quiet, views } from './lib/views.mjs';

const OUT = fileURLToPath(new URL('../../var/gallery', import.meta.url));
/** One page per device is created, and photographed in each of its windows. */
const HANDS = [
  {
    options: { hasTouch: true, isMobile: true },
    sizes: { 360: [360, 740], '844x390': [844, 390], 768: [768, 1024] },
  },
  { options: {}, sizes: { 1366: [1366, 768], 1920: [1920, 1080] } },
];
const LOOKS = ['dark', 'light'];
const SIZES = HANDS.flatMap(({ sizes }) => Object.keys(sizes));
/** Screenshots that take longer are skipped: a gallery is not a test. */
const WAIT_MS = 20_000;
const VIEW_MS = 60_000;

function wanted() {
  const options = {
    page: { type: 'string', default: '' },
    size: { type: 'string' },
    language: { type: 'string' },
    look: { type: 'string', default: 'dark' },
  };
  const { values } = parseArgs({ options });
  const some = (known, said, what) => {
    const chosen = said?.split(',') ?? known;
    const unknown = chosen.filter((one) => !known.includes(one));
    if (unknown.length > 0) throw new Error(`no such ${what}: ${unknown}; there are ${known.join(', ')}`);
    return chosen;
  };
  return {
    page: new RegExp(values.page),
    sizes: some(SIZES, values.size, 'size'),
    languages: some(OFFERED, values.language, 'language'),
    look: some(LOOKS, values.look, 'look')[0],
  };
}

class Lane {
  constructor(browser, origin, language, look, hand, sizes) {
    Object.assign(this, { browser, origin, language, look, sizes });
    this.options = {
      ...{ ...hand.options, plain: false, reducedMotion: 'reduce' },
      ...{ locale: language, colorScheme: look },
    };
    this.made = 0;
    this.failed = [];
  }

  async picture(page, name, whole) {
    for (const [size, [width, height]] of this.sizes) {
      await page.setViewportSize({ width, height });
      if (await page.locator('.hand [data-card]').count()) await settled(page);
      await fontsCome(page);
      const folder = join(OUT, this.look === 'dark' ? this.language : `${this.language} ${this.look}`, size);
      mkdirSync(folder, { recursive: true });
      await page.screenshot({
        path: join(folder, `${name}.jpg`),
        quality: JPEG_QUALITY,
        fullPage: whole,
        animations: 'disabled',
      });
      this.made++;
    }
  }

  /** A visitor who uses this language; `ready` prepares the page's data. */
  async visitor(ready) {
    const [, [width, height]] = this.sizes[0];
    const opened = await ready({ ...this.options, viewport: { width, height } });
    opened.context.setDefaultTimeout(WAIT_MS);
    await keepValue(opened.page, 'language', this.language);
    return opened;
  }

  async view(opened, name, view, show) {
    const { page, errors } = opened;
    const [, [width, height]] = this.sizes[0];
    await page.setViewportSize({ width, height });
    await page.goto(`${this.origin}/icon.svg`); // stops everything of the previous view
    await page.evaluate(() => [localStorage, sessionStorage].forEach((kept) => kept.clear()));
    await show(opened, view);
    const stands = opened.stage || (await page.getByRole('dialog').count()) > 0; // a dialog covers the window, not the whole page
    await this.picture(page, name, !stands);
    if (errors.length > 0) throw new Error(errors.join('; '));
  }

  /** After a failure, use a new visitor, because the old one's page may hang. */
  async each(entries, ready, show) {
    let opened = null;
    for (const [name, view] of entries) {
      opened ??= await this.visitor(ready);
      const late = AbortSignal.timeout(VIEW_MS);
      const hangs = new Promise((_, failed) =>
        late.addEventListener('abort', () => failed(new Error(`not there within ${VIEW_MS} ms`))),
      );
      try {
        await Promise.race([this.view(opened, name, view, show), hangs]);
      } catch (error) {
        this.failed.push(`${this.language} ${name}: ${String(error).split('\n')[0].slice(0, 300)}`);
        await opened.context.close();
        opened = null;
      }
    }
    await opened?.context.close();
  }

  moments(entries) {
    const ready = async (options) => {
      const opened = await openPage(this.browser, options);
      return { ...opened, stage: await new Stage(opened.page).set() };
    };
    return this.each(entries, ready, async ({ page, stage }, moment) => {
      stage.begin(moment.snapshot ?? scene());
      await showMoment(page, stage, this.origin, moment);
    });
  }

  pages(entries, stranger) {
    const ready = (options) =>
      new Site().open(this.browser, this.origin, { ...options, stranger, intercepted: true });
    return this.each(entries, ready, async (site, { path, answers, make, loading }) => {
      site.begin(answers);
      await site.goto(path);
      await quiet(site.page, loading);
      await make?.(site.page);
    });
  }
}

/** Includes existing screenshots of earlier runs. */
function index() {
  const folders = (path) => readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  const pictures = folders(OUT).flatMap(({ name: language }) =>
    folders(join(OUT, language)).flatMap(({ name: size }) =>
      readdirSync(join(OUT, language, size)).map((file) => ({
        page: file.replace(/\.jpg$/, ''),
        size,
        language,
      })),
    ),
  );
  const frame = readFileSync(new URL('lib/gallery.html', import.meta.url), 'utf8');
  writeFileSync(
    join(OUT, 'index.html'),
    frame.replace(/\/\* filled in.*\[\]/, () => JSON.stringify(pictures)),
  );
}

async function make({ page, sizes, languages, look }) {
  const chosen = (all) => Object.entries(all).filter(([name]) => page.test(name));
  const tables = chosen(
    Object.fromEntries(Object.entries(MOMENTS).map(([name, moment]) => [`table-${name}`, moment])),
  );
  const pages = chosen(views());
  if (tables.length + pages.length === 0) throw new Error(`no page is called ${page}`);
  const server = await serveStatic(fileURLToPath(new URL('../../web/dist', import.meta.url)), 0);
  const origin = `http://127.0.0.1:${server.address().port}`;
  const browser = await launch();
  const lanes = languages.flatMap((language) =>
    HANDS.map(
      (hand) =>
        new Lane(
          browser,
          origin,
          language,
          look,
          hand,
          Object.entries(hand.sizes).filter(([size]) => sizes.includes(size)),
        ),
    ).filter((lane) => lane.sizes.length > 0),
  );
  const left = [...lanes];
  const work = async () => {
    for (let lane = left.shift(); lane; lane = left.shift()) {
      await lane.pages(
        pages.filter(([, view]) => !view.stranger),
        false,
      );
      await lane.pages(
        pages.filter(([, view]) => view.stranger),
        true,
      );
      await lane.moments(tables);
      console.log(
        `${lane.language}, ${lane.sizes.map(([size]) => size).join(' ')}: ${lane.made} screenshots`,
      );
    }
  };
  try {
    await Promise.all(Array.from({ length: availableParallelism() }, work));
  } finally {
    await browser.close();
    server.close();
  }
  index();
  const failed = lanes.flatMap((lane) => lane.failed);
  for (const line of failed) console.log(`FAIL  ${line}`);
  console.log(
    `${lanes.reduce((sum, lane) => sum + lane.made, 0)} screenshots of ${tables.length + pages.length} pages and moments in var/gallery/index.html; ${failed.length} failed`,
  );
  process.exitCode = failed.length > 0 ? 1 : 0;
}

await make(wanted());
