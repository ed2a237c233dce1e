/* Browser tests: `npm test` runs all, `node run.mjs game lobby` only these parts. Ends with "N passed, N failed". Needs the built
 * page (web/dist) and, for the parts with a server, the program and PostgreSQL. */
import { fileURLToPath } from 'node:url';
import { closePages } from './lib/board.mjs';
import { launch } from './lib/browser.mjs';
import { part, sum } from './lib/harness.mjs';
import { closeSites } from './lib/site.mjs';
import { serveStatic } from './lib/static.mjs';

/** On made-up answers: the files of each part in their order, and what closes the pages that they share. */
const SCREENS = {
  fonts: ['fonts'],
  layout: ['layout', 'gestures', 'hands', 'replies', closePages, 'weight', 'states'],
  weight: ['weight'],
  states: ['states'],
  insets: ['insets'],
  feel: ['feel'],
  pages: ['pages', 'community', 'account', 'links', closeSites],
  learn: ['learn', closePages],
  practice: ['practice'],
  languages: ['languages'],
  a11y: ['a11y', closePages],
};
const WITHIN = { weight: 'layout', states: 'layout' }; // parts that another has in it

/** With the program behind them, a file each. */
const PLAY = ['engine', 'game', 'connection', 'lobby', 'people', 'mails', 'factor', 'passkeys', 'clubs', 'openid', 'progress', 'tournament', 'admin', 'replay', 'cluster', 'variants'];

const all = [...Object.keys(SCREENS).filter((name) => !WITHIN[name]), ...PLAY];
const parts = process.argv.length > 2 ? process.argv.slice(2) : all;
const unknown = parts.filter((name) => !SCREENS[name] && !PLAY.includes(name));
if (unknown.length > 0) throw new Error(`no part ${unknown.join(', ')} (there are: ${[...Object.keys(SCREENS), ...PLAY].join(', ')})`);

/** What a file of tests exports: one function, whose name ends with Tests. */
async function testsOf(file) {
  const [, run] = Object.entries(await import(`./${file}.mjs`)).find(([name]) => name.endsWith('Tests'));
  return run;
}

const browser = await launch();
try {
  const server = parts.some((name) => SCREENS[name]) && (await serveStatic(fileURLToPath(new URL('../../web/dist', import.meta.url)), 0));
  const origin = server && `http://127.0.0.1:${server.address().port}`;
  for (const name of parts)
    await part(name, async () => {
      for (const one of SCREENS[name] ?? [name]) await (typeof one === 'function' ? one() : (await testsOf(one))(browser, origin, server));
    });
  if (server) server.close();
} finally {
  await browser.close();
}
sum();
