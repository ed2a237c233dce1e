/* The page brings its own fonts: all text is drawn with them on a machine that has one ugly font, the first
 * page is small, each alphabet loads when it is used, and nothing moves when they replace the fallbacks. */
import { PHONE } from '../lib/board.mjs';
import { fontsCome, launch, openPage } from '../lib/browser.mjs';
import { check, equal, LONG, until } from '../lib/harness.mjs';
import { here, test } from '../lib/screens.mjs';
import { foreignFonts } from '../lib/inspect.mjs';
import { Site } from '../lib/site.mjs';
import { scene, Stage } from '../lib/stage.mjs';

const FIRST_PAGE_MAX = 60_000;
/** Browsers' layout shift score (below 0.1 is good): at most one line that breaks at another word. Without
 * metric-compatible fallbacks it is 0.16. */
const SHIFT_MAX = 0.03;
const LAPTOP = { viewport: { width: 1366, height: 768 } };

/** Capitals, small letters, figures, and quotation marks of each language. */
const both = (letters) => `${letters} ${letters.toUpperCase()}`;
const LATIN = both('abcdefghijklmnopqrstuvwxyz');
const ALPHABETS = {
  English: {
    files: ['latin'],
    text: `${LATIN} 0123456789 “a” ‘b’ 1\u2011a – — … · × − € £ ½ & @ % # (?!) [;:]`,
  },
  German: { files: ['latin'], text: `${LATIN} ${both('äöü')} ß „a“ ‚b‘` },
  French: { files: ['latin'], text: `${LATIN} ${both('àâæçéèêëîïôœùûü')} « a » 1\u202f000` },
  'Serbian in Latin letters': { files: ['latin', 'latin-ext'], text: `${LATIN} ${both('čćđšž')} „a” ’b’` },
  'Serbian in Cyrillic letters': {
    files: ['latin', 'cyrillic'],
    text: `${both('абвгдђежзијклљмнњопрстћуфхцчџш')} 123 „а” ’б’`,
  },
  Hindi: {
    files: ['latin', 'devanagari'],
    text: 'अ आ इ ई उ ऊ ऋ ए ऐ ओ औ क ख ग घ ङ च छ ज झ ञ ट ठ ड ढ ण त थ द ध न प फ ब भ म य र ल व श ष स ह क्ष त्र ज्ञ श्र ड़ ढ़ ज़ कि की कु कू के कै को कौ कं कः काँ खिलाड़ी ० १ २ ३ ₹ ।',
  },
  Bengali: {
    files: ['latin', 'bengali'],
    text: 'অ আ ই ঈ উ ঊ ঋ এ ঐ ও ঔ ক খ গ ঘ ঙ চ ছ জ ঝ ঞ ট ঠ ড ঢ ণ ত থ দ ধ ন প ফ ব ভ ম য র ল শ ষ স হ ড় ঢ় য় ৎ ক্ষ জ্ঞ স্ত্রী কি কী কু কূ কৃ কে কৈ কো কৌ কং কঃ কঁ ১ ২ ৩ ৳',
  },
  Tamil: {
    files: ['latin', 'tamil'],
    text: 'அ ஆ இ ஈ உ ஊ எ ஏ ஐ ஒ ஓ ஔ ஃ க ங ச ஞ ட ண த ந ப ம ய ர ல வ ழ ள ற ன ஜ ஷ ஸ ஹ க்ஷ ஶ்ரீ கா கி கீ கு கூ கெ கே கை கொ கோ கௌ க் ௧ ௨ ௩',
  },
  Telugu: {
    files: ['latin', 'telugu'],
    text: 'అ ఆ ఇ ఈ ఉ ఊ ఋ ఎ ఏ ఐ ఒ ఓ ఔ క ఖ గ ఘ చ ఛ జ ఝ ట ఠ డ ఢ ణ త థ ద ధ న ప ఫ బ భ మ య ర ఱ ల ళ వ శ ష స హ క్ష జ్ఞ స్త్రీ కా కి కీ కు కూ కృ కె కే కై కొ కో కౌ కం కః ౧ ౨ ౩',
  },
};

/** Scripts whose font file is larger than the limit for a first page. */
const INDIC = ['devanagari', 'bengali', 'tamil', 'telugu'];

/** Pages in these languages take the characters that Indian scripts share from the font for their
 * script. */
const OWN_LANGUAGE = {
  bn: { files: ['bengali'], text: 'খেলা, র‍্যাংক, ক্ষমা। ৳ ₹' },
  ta: { files: ['tamil'], text: 'ரம்மி, ஶ்ரீ, க்ஷ ₹, 1\u2011வது' },
  te: { files: ['rupee', 'telugu'], text: 'రమ్మీ, క్షమ, స్త్రీ ₹' },
};

/** Names and bytes of the fonts that the page fetches from now on. */
function watchFonts(page) {
  const fonts = new Map();
  page.on('response', async (response) => {
    if (response.request().resourceType() !== 'font') return;
    const name = new URL(response.url()).pathname;
    fonts.set(name, 0);
    fonts.set(name, (await response.body()).length);
  });
  return fonts;
}
const alphabetsOf = (fonts) => [
  ...new Set([...fonts.keys()].map((name) => /\/(?:noto-sans|literata)-(latin-ext|[a-z]+)-/.exec(name)[1])),
];
const bytesOf = (fonts) => [...fonts.values()].reduce((sum, bytes) => sum + bytes, 0);

function firstPage() {
  test('the first page brings at most 60 kB of fonts, none from elsewhere', async () => {
    const { context, page, errors } = await openPage(here.browser, LAPTOP);
    const fonts = watchFonts(page);
    const elsewhere = [];
    page.on(
      'request',
      (request) => new URL(request.url()).origin === here.origin || elsewhere.push(request.url()),
    );
    await page.goto(here.origin);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await fontsCome(page);
    await until(() => fonts.size > 0 && ![...fonts.values()].includes(0), 'no font came');
    equal(alphabetsOf(fonts), ['latin'], 'alphabets of an English page');
    check(bytesOf(fonts) <= FIRST_PAGE_MAX, `${bytesOf(fonts)} bytes of fonts`);
    equal(elsewhere, [], 'requests to other origins');
    equal(errors, [], 'errors of the page');
    const license = await (await context.request.get(`${here.origin}/fonts-license.txt`)).text();
    for (const words of [
      'Literata Project Authors',
      'Noto Project Authors',
      'SIL OPEN FONT LICENSE Version 1.1',
    ])
      check(license.includes(words), `not in the licence: ${words}`);
    await context.close();
  });
}

/** Writes the text as a heading and as body text, in each font weight. */
function write(text) {
  document.querySelector('#app').innerHTML = '<h1></h1><p></p><strong></strong><button class="btn"></button>';
  for (const element of document.querySelector('#app').children) element.textContent = text;
}

function alphabets() {
  for (const [language, { files, text }] of Object.entries(ALPHABETS))
    test(`${language} is written with the page's fonts, and with those it needs`, async () => {
      const { context, page } = await openPage(here.browser, LAPTOP);
      const fonts = watchFonts(page);
      await page.goto(here.origin);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.evaluate(write, text);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      await fontsCome(page);
      await until(() => ![...fonts.values()].includes(0), 'a font did not come');
      equal(await foreignFonts(page), [], 'what is written with a font of the machine');
      equal(alphabetsOf(fonts).sort(), [...files].sort(), 'alphabets');
      if (!files.some((file) => INDIC.includes(file)))
        check(bytesOf(fonts) <= FIRST_PAGE_MAX, `${bytesOf(fonts)} bytes of fonts`);
      await context.close();
    });
}

function ownLanguages() {
  for (const [language, { files, text }] of Object.entries(OWN_LANGUAGE))
    test(`a page in ${language} fetches no Devanagari for the signs that both have`, async () => {
      const { context, page } = await openPage(here.browser, LAPTOP);
      const fonts = watchFonts(page);
      await page.goto(here.origin);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.evaluate((tag) => (document.documentElement.lang = tag), language);
      await page.evaluate(write, text);
      await page.evaluate(
        () => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))),
      );
      await fontsCome(page);
      await until(() => ![...fonts.values()].includes(0), 'a font did not come');
      equal(await foreignFonts(page), [], 'what is written with a font of the machine');
      equal(alphabetsOf(fonts).sort(), ['latin', ...files].sort(), 'alphabets');
      await context.close();
    });
}

async function atStage(browser, options, snapshot, work, before) {
  const { context, page } = await openPage(browser, { ...options, reducedMotion: 'reduce' });
  await new Stage(page, snapshot).set();
  await before?.(page);
  await page.goto(`${here.origin}/table/917`, { waitUntil: 'commit' });
  await page.waitForSelector('.hand [data-card]');
  await work(page);
  await context.close();
}

/** Holds back the fonts until the returned function releases them. */
async function holdFonts(page) {
  let release;
  const held = new Promise((done) => (release = done));
  await page.route('**/*.woff2', async (route) => {
    await held;
    await route.continue();
  });
  await page.addInitScript(() => {
    window.shifts = [];
    const keep = (list) => list.getEntries().forEach((entry) => window.shifts.push(entry.value));
    new PerformanceObserver(keep).observe({ type: 'layout-shift', buffered: true });
  });
  return release;
}

const quiet = (page) =>
  page.evaluate(async () => {
    for (let i = 0; i < 20; i++) await new Promise((done) => requestAnimationFrame(done));
    return window.shifts.splice(0).reduce((sum, value) => sum + value, 0);
  });

async function swaps(page, release) {
  check((await foreignFonts(page)).length > 0, 'nothing was shown before the fonts came');
  await quiet(page);
  release();
  await page.waitForFunction(
    () =>
      [...document.fonts].filter(
        (font) => font.status === 'loaded' && /Rummy (Sans|Serif)\W*$/.test(font.family),
      ).length >= 2,
  );
  await fontsCome(page);
  const shift = await quiet(page);
  equal(await foreignFonts(page), [], 'what is written with a font of the machine');
  check(shift <= SHIFT_MAX, `what is seen moves by ${shift.toFixed(4)}`);
}

const ENTRANCE = ['/', true];
const OF_PLAYERS = ['/wallet', '/account', '/leagues'].map((path) => [path, false]);
/** In the long form, each page is checked on both devices. */
const MOVED = LONG
  ? { phone: [ENTRANCE, ...OF_PLAYERS], laptop: [ENTRANCE, ...OF_PLAYERS] }
  : { phone: [ENTRANCE, ...OF_PLAYERS.slice(0, 1)], laptop: OF_PLAYERS.slice(1) };

/** With the machine's fonts, one of which is the fallback until the page's own fonts arrive. */
test.describe('with the fonts of the machine', () => {
  let browser = null;
  test.beforeAll(async () => {
    browser = await launch({ machineFonts: true });
  });
  test.afterAll(() => browser?.close());

  for (const [size, options] of Object.entries({ phone: PHONE, laptop: LAPTOP })) {
    for (const [path, stranger] of MOVED[size])
      test(`${path} does not move on a ${size} when its fonts come`, async () => {
        const site = await new Site().open(browser, here.origin, { ...options, stranger });
        const release = await holdFonts(site.page);
        await site.page.goto(here.origin + path, { waitUntil: 'commit' });
        await site.page.getByRole('heading', { level: 1 }).waitFor();
        await swaps(site.page, release);
        await site.context.close();
      });
    test(`the table does not move on a ${size} when its fonts come`, async () => {
      let release;
      await atStage(
        browser,
        options,
        scene(),
        (page) => swaps(page, release),
        async (page) => (release = await holdFonts(page)),
      );
    });
  }
});

firstPage();
alphabets();
ownLanguages();
