/* What must hold on every page and in every moment of a table. An inspector takes the page and its context ({
 * language, insets, rules, contrasts }) and returns its findings, one line each; none if all is well.
 * lib/walk.mjs defines where each of them runs. */
import { violations } from './axe.mjs';
import { cutTexts } from './board.mjs';
import { isFromRight, textsOf } from './texts.mjs';

/** Elements wider than the window. A table of figures can scroll within its panel, but our pages should not
 * need that. Exceptions: the record of a game, the opponents at a table, and rows meant to be swiped. */
function wide(page) {
  return page.evaluate((width) => {
    const over = document.documentElement.scrollWidth - width; // on a phone, innerWidth grows with overflowing content
    const inner = [
      ...document.querySelectorAll('main *:not(pre, .table *, [data-swiped]), header.top, header.top *'),
    ].filter(
      (el) =>
        el.scrollWidth > el.clientWidth + 1 &&
        el.clientWidth > 0 &&
        getComputedStyle(el).overflowX === 'auto',
    );
    return [
      ...(over > 0 ? [`the page by ${over} px`] : []),
      ...inner.map((el) => `${el.className || el.localName} by ${el.scrollWidth - el.clientWidth} px`),
    ];
  }, page.viewportSize().width);
}

/** Text clipped by its own box. Only the heading of a table may end in an ellipsis. */
async function cut(page) {
  const bar = page.locator('.table-bar h1');
  const heading = (await bar.count()) > 0 ? await bar.innerText() : null;
  return (await cutTexts(page)).filter((text) => text !== heading);
}

/** Text over other text of a page, and words longer than their box. Tables have their own tests, because
 * cards overlap there. */
function overlap(page) {
  return page.evaluate(() => {
    const visible = (el) =>
      el.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
      !el.closest('.sr-only, svg, option, .table');
    /** The part within the boxes that clip it. */
    const clipped = (rect, el) => {
      let { left, right, top, bottom } = rect;
      for (let box = el; box && box !== document.body; box = box.parentElement) {
        if (getComputedStyle(box).overflowX === 'visible') continue;
        const r = box.getBoundingClientRect();
        [left, right] = [Math.max(left, r.left), Math.min(right, r.right)];
        [top, bottom] = [Math.max(top, r.top), Math.min(bottom, r.bottom)];
      }
      return { left, right, top, bottom };
    };
    const roots = [...document.querySelectorAll('[role=dialog]')];
    const root = roots.at(-1) ?? document.querySelector('main') ?? document.body;
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    const pieces = [];
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const el = text.parentElement;
      if (text.data.trim() === '' || !visible(el)) continue;
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const rect of range.getClientRects()) {
        const { left, right, top, bottom } = clipped(rect, el);
        if (right - left > 1 && bottom - top > 1)
          pieces.push({ text, said: text.data.trim().slice(0, 30), left, right, top, bottom });
      }
    }
    pieces.sort((a, b) => a.top - b.top);
    const OVERLAP_MIN = 0.35; // letters do not fill the line height
    const found = new Set();
    pieces.forEach((a, i) => {
      for (const b of pieces.slice(i + 1)) {
        if (b.top > a.bottom) break;
        const least = OVERLAP_MIN * Math.min(a.bottom - a.top, b.bottom - b.top);
        const high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > least;
        const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1;
        if (high && wide && a.text !== b.text) found.add(`${a.said} and ${b.said}`);
      }
    });
    for (const el of root.querySelectorAll('*')) {
      const words = [...el.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== '');
      const before = /^["a].*[\p{L}\d]/u.test(getComputedStyle(el, '::before').content);
      if (!(words || before) || !visible(el) || getComputedStyle(el).overflowX !== 'visible') continue;
      if (el.clientWidth > 0 && el.scrollWidth > el.clientWidth + 1)
        found.add(`longer than its box: ${el.dataset.what ?? (el.innerText.slice(0, 30) || el.className)}`);
    }
    return [...found];
  });
}

/** Buttons and other standalone controls smaller than 44 px; at a table, where cards overlap, smaller than 24
 * px. Links within text are as high as the text. */
function targets(page) {
  return page.evaluate(() => {
    const table = document.querySelector('.table') !== null;
    const all = table
      ? '.table button:not(.meld)'
      : 'button, select, summary, a.btn, header.top a, nav.bottom a';
    const least = table ? 24 : 43.5;
    return [...document.querySelectorAll(all)]
      .filter((el) => el.checkVisibility())
      .map((el) => [el.ariaLabel ?? el.innerText, el.getBoundingClientRect()])
      .filter(([, { width, height }]) => height < least || width < least)
      .map(([name, { width, height }]) => `${name}: ${Math.round(width)}×${Math.round(height)}`);
  });
}

/** Text and controls outside the safe area of the screen: always at the sides, at the top if the page is
 * not scrolled, at the bottom if it is scrolled to its end. In scrolling boxes only the visible part
 * counts. */
function edges(page, { insets }) {
  return page.evaluate(({ top, right, bottom, left }) => {
    const what = 'button, a, input, select, textarea, summary, [data-card], [data-seat], .pile';
    const words = (el) =>
      [...el.childNodes].some((n) => n.nodeType === Node.TEXT_NODE && n.data.trim() !== '');
    /** The visible part within the surrounding boxes; each box is measured once. */
    let clips = new Map();
    const clipOf = (box) => {
      if (!box || box === document.body) return { x: -Infinity, y: -Infinity, r: Infinity, b: Infinity };
      if (!clips.has(box)) clips.set(box, within(clipOf(box.parentElement), box));
      return clips.get(box);
    };
    const within = (clip, box) =>
      getComputedStyle(box).overflowY === 'visible' ? clip : meet(clip, box.getBoundingClientRect());
    const meet = (clip, { x, y, right: r, bottom: b }) => ({
      x: Math.max(x, clip.x),
      y: Math.max(y, clip.y),
      r: Math.min(r, clip.r),
      b: Math.min(b, clip.b),
    });
    const seen = (el) => meet(clipOf(el.parentElement), el.getBoundingClientRect());
    const found = (scrolled, sides) => {
      scrollTo({ top: scrolled, behavior: 'instant' });
      clips = new Map();
      return [...document.querySelectorAll('body *')].flatMap((el) => {
        if (!(el.matches(what) || words(el)) || el.closest('.sr-only, svg, .flights, .skip:not(:focus)'))
          return [];
        if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
        const { x, y, r, b } = seen(el);
        if (r <= Math.max(x, 0) || b <= Math.max(y, 0) || x >= innerWidth || y >= innerHeight) return [];
        const over = {
          left: x < left - 0.5,
          right: r > innerWidth - right + 0.5,
          top: y < top - 0.5,
          bottom: b > innerHeight - bottom + 0.5,
        };
        return sides
          .filter((side) => over[side])
          .map((side) => `${side}: ${el.ariaLabel ?? (el.innerText?.slice(0, 40) || el.className)}`);
      });
    };
    const all = [...found(0, ['left', 'right', 'top']), ...found(document.body.scrollHeight, ['bottom'])];
    scrollTo({ top: 0, behavior: 'instant' });
    return [...new Set(all)];
  }, insets);
}

/** In the page: marks texts until each letter has been found in each font it uses, and returns pieces of
 * them. */
function markTexts() {
  const met = new Map();
  const pieces = [];
  for (const el of document.querySelectorAll('body *:not(style, script, option, noscript, pre)')) {
    const words = [...el.childNodes].find((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!words || !el.checkVisibility()) continue;
    const { fontFamily, fontWeight, fontStyle } = getComputedStyle(el);
    const font = [fontFamily, fontWeight, fontStyle].join();
    const letters = met.get(font) ?? new Set();
    met.set(font, letters);
    const before = letters.size;
    for (const letter of el.textContent) letters.add(letter);
    if (letters.size === before) continue;
    el.setAttribute('data-text', '');
    pieces.push(words.data.trim().slice(0, 40));
  }
  return pieces;
}

/** Text drawn in a font of the machine: the font and a piece of the text. Records are for programs, so any
 * monospace font will do. */
export async function foreignFonts(page) {
  const cdp = await page.context().newCDPSession(page);
  try {
    await cdp.send('DOM.enable');
    await cdp.send('CSS.enable');
    const pieces = await page.evaluate(markTexts);
    const { root } = await cdp.send('DOM.getDocument', { depth: 0 });
    const { nodeIds } = await cdp.send('DOM.querySelectorAll', {
      nodeId: root.nodeId,
      selector: '[data-text]',
    });
    const drawn = await Promise.all(
      nodeIds.map((nodeId) => cdp.send('CSS.getPlatformFontsForNode', { nodeId })),
    );
    await page.evaluate(() =>
      document.querySelectorAll('[data-text]').forEach((el) => el.removeAttribute('data-text')),
    );
    return drawn.flatMap(({ fonts: used }, i) =>
      used.filter((font) => !font.isCustomFont).map((font) => `${font.familyName}: ${pieces[i]}`),
    );
  } finally {
    await cdp.detach();
  }
}

const catalogs = new Map();
function catalog(tag) {
  if (!catalogs.has(tag)) catalogs.set(tag, textsOf(tag));
  return catalogs.get(tag);
}

/** English sentences whose translation into this language differs. */
function englishOnly(tag) {
  const same = new Set(Object.values(catalog(tag)));
  return new Set(
    Object.values(catalog('en')).filter((text) => /^[^{<]*\p{L}{3}[^{<]*$/u.test(text) && !same.has(text)),
  );
}

/** All text on the page, visible or announced. */
const readTexts = (page) =>
  page.evaluate(() => {
    const found = new Set();
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode())
      if (
        text.parentElement.checkVisibility() &&
        !text.parentElement.closest('[translate=no], [lang]:not(html)')
      )
        found.add(text.data.trim().replace(/\s+/g, ' '));
    for (const name of ['aria-label', 'title', 'placeholder', 'alt'])
      for (const el of document.querySelectorAll(`body [${name}]`))
        if (el.checkVisibility()) found.add(el.getAttribute(name));
    return [...found];
  });

/** The document is in this language, and contains no other language, message key, or unfilled placeholder. */
async function words(page, { language }) {
  const { lang, dir } = await page.evaluate(() => ({
    lang: document.documentElement.lang,
    dir: document.documentElement.dir,
  }));
  const wanted = isFromRight(language) ? 'rtl' : 'ltr';
  const keys = catalog('en');
  const english = language === 'en' ? new Set() : englishOnly(language);
  const texts = await readTexts(page);
  return [
    ...(lang === language && dir === wanted ? [] : [`the document is ${lang}, ${dir}`]),
    ...texts.filter((text) => english.has(text)).map((text) => `in English: ${text}`),
    ...texts
      .filter((text) => text.split(/[\s:,()]+/).some((word) => word in keys && word.includes('.')))
      .map((text) => `a key: ${text}`),
    ...texts
      .filter((text) => /\{\w+[,}]|\bundefined\b|\bNaN\b|\[object /.test(text))
      .map((text) => `not filled: ${text}`),
  ];
}

/** The page has a title, and shows no failure. */
async function calm(page) {
  const title = await page.title();
  const alerts = await page.locator('[role=alert]').allInnerTexts();
  return [
    ...(/^.+ · Rummy 51$/.test(title) ? [] : [`it is called ${title || 'nothing'}`]),
    ...alerts.map((text) => `it went wrong: ${text}`),
  ];
}

/** The page contains these words. */
async function said(page, { words: expected }) {
  const texts = await page.evaluate(() => document.body.innerText.replace(/\s+/g, ' ').toLowerCase());
  return expected.filter((text) => !texts.includes(text.toLowerCase())).map((text) => `not read: ${text}`);
}

/** A page fetches nothing twice. */
async function once(page, { asked }) {
  await page.waitForLoadState('networkidle');
  if (asked.length === 0) return ['nothing was fetched'];
  return asked.filter((path, i) => asked.indexOf(path) !== i).map((path) => `fetched twice: ${path}`);
}

export const INSPECTORS = {
  axe: (page, { rules = {}, contrasts }) => violations(page, rules, contrasts),
  wide,
  cut,
  overlap,
  targets,
  edges,
  fonts: foreignFonts,
  words,
  calm,
  said,
  once,
};

/** All findings of these inspectors, each with inspector and location. */
export async function inspect(page, where, names) {
  const found = [];
  for (const name of names)
    for (const finding of await INSPECTORS[name](page, where))
      found.push(`${[where.view, where.size, where.language].join(', ')}: ${name}: ${finding}`);
  return found;
}
