/* axe's findings on a page, by the rules of WCAG 2.2 AA and good practice. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fontsCome } from './browser.mjs';
import { LONG } from './harness.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** In the page: marks each text of a kind that is not in `seen`, and returns the new kinds. Texts of one kind
 * have the same style, in boxes of the same classes. Contrast takes half of axe's time, and is the same
 * within a kind. */
function markNewKinds(seen) {
  const old = new Set(seen);
  const { theme = '', look = '' } = document.documentElement.dataset;
  const found = new Set();
  const box = (el) => `${el.localName}.${el.getAttribute('class') ?? ''}`;
  for (const el of document.querySelectorAll('body *')) {
    if (![...el.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.data.trim())) continue;
    const { color, fontSize, fontWeight, opacity } = getComputedStyle(el);
    const boxes = [];
    for (let at = el; at && at !== document.body && boxes.length < 6; at = at.parentElement)
      boxes.push(box(at));
    const { disabled, ariaPressed, ariaSelected, ariaCurrent } = el;
    const kind = [
      theme,
      look,
      ...boxes,
      color,
      fontSize,
      fontWeight,
      opacity,
      disabled,
      ariaPressed,
      ariaSelected,
      ariaCurrent,
    ];
    if (old.has(kind.join())) continue;
    found.add(kind.join());
    el.setAttribute('data-new-kind', '');
  }
  return [...found];
}

/** Kinds of text whose contrast this worker has measured; the long form measures every text. */
const contrasts = LONG ? null : new Set();

/** One line per violated rule, with the first locations. `rules`: disabled rules. `seen`: kinds of text whose
 * contrast need not be measured again; kinds that pass are added. */
export async function violations(page, rules = {}, seen = contrasts) {
  await fontsCome(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  const kinds = seen ? await page.evaluate(markNewKinds, [...seen]) : [];
  const found = await page.evaluate(
    async ([values, rules, selector]) => {
      window.axe.configure({ rules: [{ id: 'color-contrast', selector }] });
      const { violations: broken } = await window.axe.run(document, {
        runOnly: { type: 'tag', values },
        rules,
        resultTypes: ['violations'],
      });
      for (const el of document.querySelectorAll('[data-new-kind]')) el.removeAttribute('data-new-kind');
      return broken.map(
        ({ id, nodes }) =>
          `${id} (${nodes.length}): ${nodes[0].target.join(' ')} ${nodes[0].failureSummary.split('\n').slice(1, 3).join(' ')}`,
      );
    },
    [TAGS, rules, seen ? '[data-new-kind]' : '*'],
  );
  if (!found.some((line) => line.startsWith('color-contrast'))) kinds.forEach((kind) => seen.add(kind));
  return found;
}
