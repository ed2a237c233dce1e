/* A player in a browser at a table of a whole cluster (scripts/cluster), through HAProxy: the node that has
 * the table is killed, then PostgreSQL's primary, then every node is stopped and started in turn, as for an
 * upgrade. The player notices a pause and continues with the same document, table, and hand, and the next
 * move is accepted. The pauses are printed. */
import { execFile, execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { pictures, SIZES } from '../lib/browser.mjs';
import { until } from '../lib/harness.mjs';
import { person } from '../lib/people.mjs';
import { BUILD, ROOT } from '../lib/server.mjs';
import { SessionPlayer } from '../lib/session.mjs';
import { openOwnTable } from '../lib/tables.mjs';
import { closeClean, expect, note, test } from '../lib/test.mjs';

const run = promisify(execFile);
const PATIENCE_MS = 90_000; // a failover takes 30 s, longer if other tests run

class Cluster {
  async start() {
    this.folder = mkdtempSync(join(tmpdir(), 'rummyd-e2e-cluster-'));
    execFileSync('chmod', ['755', this.folder]); // if root calls it, it runs as postgres
    await this.say('up', '--as-is', '--rate_limits=off', '--bot_think_ms=120', '--seed_wait_ms=100');
    const { ports, nodes } = JSON.parse(readFileSync(join(this.folder, 'cluster.json'), 'utf8'));
    this.url = `http://localhost:${ports.play}`;
    this.nodes = Object.keys(nodes);
    return this;
  }

  async say(...words) {
    const env = { ...process.env, RUMMY_BUILD: BUILD };
    return (
      await run(join(ROOT, 'scripts/cluster'), [`--dir=${this.folder}`, ...words], { env })
    ).stdout.trim();
  }

  async owner(table) {
    const conninfo = await this.say('conninfo', 'rummyd_owner');
    const { stdout } = await run('psql', [
      '-XqtA',
      '-d',
      conninfo,
      '-v',
      'ON_ERROR_STOP=1',
      '-c',
      `SELECT node FROM tables WHERE id = ${Number(table)}`,
    ]);
    return stdout.trim();
  }

  async stop() {
    if (!this.folder) return;
    await this.say('down', '--now');
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Sits down at a table of two with a bot that can neither open nor end the game; returns after the first
 * move. */
async function sitDown(browser, url) {
  const opened = await person(browser, url, 'Anna', { viewport: SIZES.laptop });
  const { page } = opened;
  await openOwnTable(page, url, 'rummy51', { bots: 1, options: { opening_min: 200 } });
  await page.waitForSelector('.hand [data-card]', { timeout: PATIENCE_MS });
  opened.player = new SessionPlayer(page);
  await oneTurn(opened.player);
  await page.evaluate(() => (window.sameDocument = true));
  return opened;
}

const onTurn = (player) =>
  until(async () => (await player.moment())?.what === 'turn', 'it is not their turn', PATIENCE_MS);

async function oneTurn(player) {
  await onTurn(player);
  await player.turn();
}

/** Runs `fault` in the middle of a turn. Without a reload the hand is the same, and the turn can be
 * completed. */
async function playedThrough({ page, player }, fault, name) {
  await onTurn(player);
  const [{ hand }, address] = [await player.board(), page.url()];
  await fault();
  const began = Date.now();
  if (process.env.PICTURES) await pictures(page, process.env.PICTURES, `cluster-${name}`);
  await until(
    async () =>
      (await page.locator('[data-connection="open"]').count()) > 0 &&
      (await player.moment())?.what === 'turn',
    'the table did not resume',
    PATIENCE_MS,
  );
  expect((await player.board()).hand, 'the hand after it').toEqual(hand);
  await player.turn();
  note(`${name}: the next turn was played ${((Date.now() - began) / 1000).toFixed(1)} s after it`);
  expect([page.url(), await page.evaluate(() => window.sameDocument)], 'the page after it').toEqual([
    address,
    true,
  ]);
}

test.describe.configure({ mode: 'serial' });

let cluster;
let opened;
let table;

test.beforeAll(async ({ browser }) => {
  cluster = new Cluster();
  await cluster.start();
  opened = await sitDown(browser, cluster.url);
  table = new URL(opened.page.url()).pathname.split('/').at(-1);
});

test.afterAll(async () => {
  await closeClean(opened);
  await cluster.stop();
});

test('the node of the table is killed', async () => {
  const node = await cluster.owner(table);
  await playedThrough(opened, () => cluster.say('kill', node), 'node killed');
  await cluster.say('heal');
});

test('the primary is killed', async () => {
  await playedThrough(opened, () => cluster.say('kill', 'primary'), 'primary killed');
  await cluster.say('heal');
});

test('all nodes restart one after another', async () => {
  for (const node of cluster.nodes) {
    await playedThrough(opened, () => cluster.say('drain', node), `${node} stopped`);
    await cluster.say('add', node);
  }
  expect(opened.errors, 'errors of the page').toEqual([]);
});
