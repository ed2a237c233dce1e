/* Browser tests. `npm test` runs all; `node run.mjs layout` (with `states` and `weight`), `a11y`, `insets`, `fonts`, `pages`, `learn`, `practice`, `engine`, `game`, `connection`, `lobby`, `people`, `clubs`, `mails`, `factor`,
 * `passkeys`, `openid`, `progress`, `tournament`, `admin`, `replay`, `cluster` or `variants` one part. Ends with "N passed, N failed". Needs the built page (web/dist) and, for the game, the program and PostgreSQL. */
import { fileURLToPath } from 'node:url';
import { a11yTests } from './a11y.mjs';
import { accountTests } from './account.mjs';
import { communityTests } from './community.mjs';
import { engineTests } from './engine.mjs';
import { closePages } from './lib/board.mjs';
import { launch } from './lib/browser.mjs';
import { sum } from './lib/harness.mjs';
import { closeSites } from './lib/site.mjs';
import { serveStatic } from './lib/static.mjs';
import { feelTests } from './feel.mjs';
import { fontTests } from './fonts.mjs';
import { gestureTests } from './gestures.mjs';
import { handTests } from './hands.mjs';
import { insetTests } from './insets.mjs';
import { languageTests } from './languages.mjs';
import { layoutTests } from './layout.mjs';
import { learnTests } from './learn.mjs';
import { linksTests } from './links.mjs';
import { pagesTests } from './pages.mjs';
import { practiceTests } from './practice.mjs';
import { replyTests } from './replies.mjs';
import { statesTests } from './states.mjs';
import { weightTests } from './weight.mjs';

const parts = process.argv.slice(2);
const wanted = (part) => parts.length === 0 || parts.includes(part);
const browser = await launch();
try {
  if (['layout', 'insets', 'feel', 'states', 'weight', 'pages', 'fonts', 'languages', 'a11y', 'learn', 'practice'].some(wanted)) {
    const server = await serveStatic(fileURLToPath(new URL('../../web/dist', import.meta.url)), 0);
    const origin = `http://127.0.0.1:${server.address().port}`;
    if (wanted('fonts')) await fontTests(browser, origin);
    if (wanted('layout')) {
      for (const tests of [layoutTests, gestureTests, handTests, replyTests]) await tests(browser, origin);
      await closePages();
    }
    if (wanted('insets')) await insetTests(browser, origin);
    if (wanted('feel')) await feelTests(browser, origin);
    if (wanted('layout') || wanted('weight')) await weightTests(browser, origin);
    if (wanted('layout') || wanted('states')) await statesTests(browser, origin);
    if (wanted('pages')) {
      for (const tests of [pagesTests, communityTests, accountTests, linksTests]) await tests(browser, origin);
      await closeSites();
    }
    if (wanted('learn')) {
      await learnTests(browser, origin);
      await closePages();
    }
    if (wanted('practice')) await practiceTests(browser, origin, server);
    if (wanted('languages')) await languageTests(browser, origin);
    if (wanted('a11y')) {
      await a11yTests(browser, origin);
      await closePages();
    }
    server.close();
  }
  if (wanted('engine')) await engineTests(browser);
  if (wanted('game')) {
    const { gameTests } = await import('./game.mjs');
    await gameTests(browser);
  }
  if (wanted('connection')) {
    const { connectionTests } = await import('./connection.mjs');
    await connectionTests(browser);
  }
  if (wanted('lobby')) {
    const { lobbyTests } = await import('./lobby.mjs');
    await lobbyTests(browser);
  }
  if (wanted('people')) {
    const { peopleTests } = await import('./people.mjs');
    await peopleTests(browser);
  }
  if (wanted('mails')) {
    const { mailTests } = await import('./mails.mjs');
    await mailTests(browser);
  }
  if (wanted('factor')) {
    const { factorTests } = await import('./factor.mjs');
    await factorTests(browser);
  }
  if (wanted('passkeys')) {
    const { passkeyTests } = await import('./passkeys.mjs');
    await passkeyTests(browser);
  }
  if (wanted('clubs')) {
    const { clubsTests } = await import('./clubs.mjs');
    await clubsTests(browser);
  }
  if (wanted('openid')) {
    const { openidTests } = await import('./openid.mjs');
    await openidTests(browser);
  }
  if (wanted('progress')) {
    const { progressTests } = await import('./progress.mjs');
    await progressTests(browser);
  }
  if (wanted('tournament')) {
    const { tournamentTests } = await import('./tournament.mjs');
    await tournamentTests(browser);
  }
  if (wanted('admin')) {
    const { adminTests } = await import('./admin.mjs');
    await adminTests(browser);
  }
  if (wanted('replay')) {
    const { replayTests } = await import('./replay.mjs');
    await replayTests(browser);
  }
  if (wanted('cluster')) {
    const { clusterTests } = await import('./cluster.mjs');
    await clusterTests(browser);
  }
  if (wanted('variants')) {
    const { variantTests } = await import('./variants.mjs');
    await variantTests(browser);
  }
} finally {
  await browser.close();
}
sum();
