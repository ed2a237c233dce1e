/* V8 coverage of pages used by tests, for bench/coverage: RUMMY_V8_COVERAGE names the output folder. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FOLDER = process.env.RUMMY_V8_COVERAGE;
const open = new Set();
let dumps = 0;

/** Records the page's coverage until its context is closed or the worker ends. */
export async function counting(context, page) {
  if (!FOLDER) return;
  await page.coverage.startJSCoverage({ resetOnNavigation: false });
  open.add(page);
  const close = context.close.bind(context);
  context.close = async (...options) => {
    await counted(page);
    await close(...options);
  };
}

/* The build contains the sources of the chunks. */
async function counted(page) {
  if (!open.delete(page) || page.isClosed()) return;
  const scripts = await page.coverage.stopJSCoverage();
  const told = scripts.map(({ url, functions }) => ({ path: new URL(url).pathname, functions }));
  mkdirSync(FOLDER, { recursive: true });
  writeFileSync(join(FOLDER, `chromium-${process.pid}-${dumps++}.json`), JSON.stringify(told));
}

/** The coverage of pages that a worker reused for all tests. */
export const countedAll = () => Promise.all([...open].map(counted));
