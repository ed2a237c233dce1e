/* Browser tests. `npm test` runs all of them, `npm test -- --project=e2e game lobby` only these files. They need the built page
 * (web/dist); `e2e` and `cluster` also need the program and PostgreSQL. */
import { join } from 'node:path';
import { defineConfig } from '@playwright/test';
import { launchOptions, WAIT_MS } from './lib/browser.mjs';
import { LONG } from './lib/harness.mjs';
import { ROOT } from './lib/server.mjs';

const LOGS = join(ROOT, 'var/test');
const minutes = (n) => n * 60_000;

/** The longest test plays a game of every variant in one way; the timeout only has to end one that hangs. */
const TEST_MS = minutes(LONG ? 60 : 10);

/** Snapshots of the page at every step cost a third more processor time, so they are only taken on request. */
const FULL_TRACE = process.env.E2E_TRACE === 'full';

/** Each keeps the traces and pictures of its failures in its own folder, because stages run at the same time. */
const project = (name, options) => ({ name, outputDir: join(LOGS, `${name}-failures`), ...options });

export default defineConfig({
  projects: [
    project('screens', { testDir: 'screens' }),
    project('e2e', { testDir: 'play', testIgnore: 'cluster.spec.mjs' }),
    project('cluster', { testDir: 'play', testMatch: 'cluster.spec.mjs' }),
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
      mode: 'retain-on-failure',
      sources: false,
      screenshots: FULL_TRACE,
      snapshots: FULL_TRACE,
    },
  },
});
