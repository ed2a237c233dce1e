/* What axe finds on a page, by the rules of WCAG 2.2 AA and those of good practice. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

const AXE = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** A line for each rule that is broken, with the first of the places. */
export async function violations(page) {
  await page.evaluate(AXE);
  return page.evaluate(async (values) => {
    const { violations: found } = await window.axe.run(document, { runOnly: { type: 'tag', values }, resultTypes: ['violations'] });
    return found.map(({ id, nodes }) => `${id}: ${nodes[0].html.slice(0, 120)} (${nodes.length})`);
  }, RULES);
}
