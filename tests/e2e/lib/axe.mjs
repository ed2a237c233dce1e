/* What axe finds on a page, by the rules of WCAG 2.2 AA and those of good practice. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { fontsCome } from './browser.mjs';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A line for each rule that is broken, with the first of the places. `rules`: those that are switched off. */
export async function violations(page, rules = {}) {
  await fontsCome(page);
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(AXE);
  return page.evaluate(
    async ([values, rules]) => {
      const { violations: found } = await window.axe.run(document, {
        runOnly: { type: 'tag', values },
        rules,
        resultTypes: ['violations'],
      });
      return found.map(
        ({ id, nodes }) =>
          `${id} (${nodes.length}): ${nodes[0].target.join(' ')} ${nodes[0].failureSummary.split('\n').slice(1, 3).join(' ')}`,
      );
    },
    [TAGS, rules],
  );
}
