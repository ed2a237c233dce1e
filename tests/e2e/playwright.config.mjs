/* Browser tests. `npm test` runs all of them, `npm test -- --project=e2e game lobby` only these files. They need the built page
 * (web/dist); `e2e`, `cluster`, `firefox`, and `webkit` also need the program and PostgreSQL. */
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { firefoxOptions, launchOptions, WAIT_MS } from './lib/browser.mjs';
import { LONG } from './lib/harness.mjs';
import { ROOT } from './lib/server.mjs';

const LOGS = join(ROOT, 'var/test');
const minutes = (n) => n * 60_000;

/** The longest test plays a game of every variant in one way. The timeout is only for tests that hang. */
const TEST_MS = minutes(LONG ? 60 : 10);

/** A trace doubles the processor time of a test, and one with snapshots of the page at each step takes even
 * more: E2E_TRACE=steps and E2E_TRACE=full keep the traces of failed tests. */
const TRACE = process.env.E2E_TRACE;

/** The sign-in page, the guided hand, a game with its result, and its replay. By mouse: touches
 * that WebDriver BiDi makes do not become clicks in a Firefox without a touch screen. */
const IN_FIREFOX = ['play/game.spec.mjs', 'play/replay.spec.mjs', 'screens/learn.spec.mjs'];
const NOT_IN_FIREFOX =
  /touch|another page may show a game in a frame|path of .* a phone|at the end of a path|it has its clock/;

/** Each project keeps the traces and screenshots of its failures in a separate folder, because stages run at
 * the same time. */
const project = (name, options) => ({ name, outputDir: join(LOGS, `${name}-failures`), ...options });

export default defineConfig({
  projects: [
    project('screens', { testDir: 'screens' }),
    project('e2e', { testDir: 'play', testIgnore: 'cluster.spec.mjs' }),
    project('cluster', { testDir: 'play', testMatch: 'cluster.spec.mjs' }),
    project('webkit', { testDir: 'webkit' }),
    project('firefox', {
      testMatch: IN_FIREFOX,
      grepInvert: NOT_IN_FIREFOX,
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: firefoxOptions(),
        screenshot: 'off', // in Firefox, taking one adds a style to the page, which the page's policy reports as an error
      },
    }),
  ],
  workers: Number(process.env.E2E_WORKERS ?? 2),
  retries: 0,
  forbidOnly: true,
  timeout: TEST_MS,
  expect: { timeout: WAIT_MS },
  reportSlowTests: null,
  grep: process.env.E2E_ONLY ? new RegExp(process.env.E2E_ONLY) : undefined,
  reporter: [
    ['list', { printSteps: false }],
    ...(process.env.E2E_JUNIT ? [['junit', { outputFile: process.env.E2E_JUNIT }]] : []),
  ],
  use: {
    launchOptions: launchOptions(),
    screenshot: 'only-on-failure',
    trace: {
      mode: TRACE ? 'retain-on-failure' : 'off',
      sources: false,
      screenshots: TRACE === 'full',
      snapshots: TRACE === 'full',
    },
  },
});
