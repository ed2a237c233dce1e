/* What is painted behind a text, measured in pixels, because a check of the styles does not detect
 * scenery. */
import { here } from './here.mjs';

/** Fraction of darkest and brightest pixels to ignore, because stars and thin lines hide no letter. */
const SPARE = 0.1;

/** In the page: each line of text in the window, with its color and position. */
function textsInView() {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const range = document.createRange();
  while (walker.nextNode()) {
    const node = walker.currentNode;
    const el = node.parentElement;
    if (!node.data.trim() || el.closest('[aria-hidden=true], .sr-only, :disabled, noscript, option'))
      continue;
    if (!el.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
    range.selectNodeContents(node);
    const { color, fontSize, fontWeight } = getComputedStyle(el);
    const large = parseFloat(fontSize) >= 24 || (parseFloat(fontSize) >= 18.66 && Number(fontWeight) >= 700);
    for (const { x, y, width, height } of range.getClientRects()) {
      if (width < 4 || y < 0 || y + height > innerHeight || x + width > innerWidth) continue;
      const free = [y + 1, y + height / 2, y + height - 1].every((at) => {
        const top = document.elementFromPoint(x + width / 2, at);
        return top && (el.contains(top) || top.contains(el));
      });
      if (!free) continue; // something covers it
      found.push({ text: node.data.trim().slice(0, 40), color, large, x, y, width, height });
    }
  }
  return found;
}

/** In an empty page: the luminances behind each text, and its contrast with them. */
async function contrastsIn([picture, texts, spare]) {
  const image = await createImageBitmap(await (await fetch(picture)).blob());
  const canvas = new OffscreenCanvas(image.width, image.height);
  const context = canvas.getContext('2d', { willReadFrequently: true });
  context.drawImage(image, 0, 0);
  const linear = (part) =>
    part <= 0.04045 * 255 ? part / 255 / 12.92 : ((part / 255 + 0.055) / 1.055) ** 2.4;
  const luminance = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  const ratio = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  return texts.map(({ text, color, large, x, y, width, height }) => {
    const { data } = context.getImageData(x, y, Math.max(1, width), Math.max(1, height));
    const behind = [];
    for (let i = 0; i < data.length; i += 4) behind.push(luminance(data.slice(i, i + 3)));
    behind.sort((a, b) => a - b);
    const at = (part) => behind[Math.floor((behind.length - 1) * part)];
    const own = luminance(
      color
        .match(/[\d.]+/g)
        .slice(0, 3)
        .map(Number),
    );
    return { text, large, contrast: Math.min(ratio(own, at(spare)), ratio(own, at(1 - spare))) };
  });
}

const HIDDEN = '*, *::before, *::after { color: transparent !important; text-shadow: none !important; }';

/** { text, large, contrast } of each text in the window of a page. */
export async function contrasts(page) {
  const texts = await page.evaluate(textsInView);
  const sheet = await page.evaluateHandle((css) => {
    const hidden = new CSSStyleSheet();
    hidden.replaceSync(css);
    document.adoptedStyleSheets.push(hidden);
    return hidden;
  }, HIDDEN);
  const picture = await page.screenshot({ scale: 'css', animations: 'disabled' });
  await sheet.evaluate((hidden) => {
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((one) => one !== hidden);
  });
  here.measuring ??= await here.browser.newPage();
  return here.measuring.evaluate(contrastsIn, [
    `data:image/png;base64,${picture.toString('base64')}`,
    texts,
    SPARE,
  ]);
}
