/* Real components: a separate database and rummyd on free ports. RUMMY_TEST_CLUSTER names the cluster
 * (scripts/test starts it); without it, a new one is created in a temporary folder. */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, openSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HANG_MS, until } from './harness.mjs';
import { freePorts } from './ports.mjs';

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const PG = join(ROOT, 'scripts/pg');
export const BUILD = resolve(ROOT, process.env.RUMMY_BUILD ?? 'build'); // relative to the clone's root
const QUICK_PASSWORDS = 'quick-passwords.so'; // hashing is nearly free (tests/support/quick_passwords.c)
/** Turns must not time out on a loaded machine; screenshots show the usual clock. */
const PATIENT_CLOCK = 'turn_s=120 hand_s=1200';

/* Node gives each address of `localhost` except the last one 250 ms. A starved process notices too late
 * that the first address accepted, and tries one that no process listens on. */
setDefaultAutoSelectFamilyAttemptTimeout?.(HANG_MS);

/** Maximum number of attempts, because another process may take a port that was free a moment ago. */
const PORTS_MAX = 5;

/** Number of databases of this process, for their names. */
let platforms = 0;

export class Platform {
  /** Prepares for play: short waits, long clocks, no limits. `flags` override the server's settings; `env`:
   * its secrets. */
  async start(flags = {}, env = {}) {
    this.flags = flags;
    this.env = env;
    this.folder = mkdtempSync(join(tmpdir(), 'rummyd-e2e-'));
    this.cluster = process.env.RUMMY_TEST_CLUSTER ?? join(this.folder, 'pg');
    this.base = execFileSync(PG, ['start', this.cluster], { encoding: 'utf8' }).trim();
    this.database = `e2e_${process.pid}_${++platforms}`;
    this.copyOf(this.template());
    this.db = this.conninfo(this.database);
    this.sql('UPDATE jobs SET since = now()'); // in an old template they would be overdue
    await this.startSomewhere();
    const params = process.env.RUMMY_PICTURES ? '' : PATIENT_CLOCK;
    this.sql(`UPDATE rooms SET params = '${params}'`);
    this.fillAfter();
    this.sql('UPDATE quests SET on_offer = false'); // quests change weekly and would alter the purses that tests check
    return this;
  }

  conninfo(database) {
    return this.base.replace(/dbname=\S+/, `dbname=${database}`);
  }

  /** The name of a migrated database that all processes of a run copy: migrating takes 1 s. If two of them
   * create it at the same time, the second one fails to rename its own and uses that of the first. */
  template() {
    const { mtimeMs, size } = statSync(join(BUILD, 'rummyd'));
    const name = `e2e_template_${createHash('sha256').update(`${BUILD} ${mtimeMs} ${size}`).digest('hex').slice(0, 16)}`;
    const there = () => this.sql(`SELECT 1 FROM pg_database WHERE datname = '${name}'`, this.base).length > 0;
    if (there()) return name;
    const unfinished = `${name}_${process.pid}`;
    this.sql(`CREATE DATABASE ${unfinished}`, this.base);
    execFileSync(join(BUILD, 'rummyd'), ['migrate', '--db', this.conninfo(unfinished)], { stdio: 'ignore' });
    try {
      if (there()) throw new Error(`${name} is already there`);
      this.sql(`ALTER DATABASE ${unfinished} RENAME TO ${name}`, this.base);
    } catch (error) {
      this.sql(`DROP DATABASE ${unfinished}`, this.base);
      if (!there()) throw error;
    }
    return name;
  }

  /** In memory, copying the files costs less than copying through the log (tests/support/cluster.py). */
  copyOf(template) {
    const way = this.cluster.startsWith('/dev/shm/') ? 'FILE_COPY' : 'WAL_LOG';
    this.sql(`CREATE DATABASE ${this.database} TEMPLATE ${template} STRATEGY ${way}`, this.base);
    this.sql(`REVOKE TEMPORARY ON DATABASE ${this.database} FROM PUBLIC`, this.base); // a copy does not inherit it
  }

  async startSomewhere() {
    for (let tried = 1; ; tried++) {
      [this.http, this.ws] = await freePorts(2);
      this.url = `http://localhost:${this.http}`;
      try {
        return await this.startServer();
      } catch (error) {
        if (tried === PORTS_MAX || !/address already in use/i.test(error.message)) throw error;
      }
    }
  }

  /** How long a room's table waits for players before bots take the seats. */
  fillAfter(ms = 400) {
    this.sql(`UPDATE rooms SET fill_wait_ms = ${ms}`);
  }

  async startServer() {
    const flags = {
      db: `${this.db} user=rummyd`, // the last user applies; the tests themselves act as the owner
      http_port: this.http,
      ws_port: this.ws,
      state_dir: this.folder,
      mail_dir: join(this.folder, 'mail'),
      web_dir: join(ROOT, 'web/dist'),
      bot_think_ms: process.env.E2E_THINK_MS ?? 120,
      hand_pause_ms: 60_000, // the next hand is dealt when the page is ready
      rate_limits: 'off',
      ...this.flags,
    };
    const args = Object.entries(flags).map(([key, value]) => `--${key}=${value}`);
    this.logFile = join(this.folder, 'rummyd.log');
    const log = openSync(this.logFile, 'a');
    const env = {
      ...process.env,
      ...this.quickPasswords(),
      ...this.env,
      no_proxy: '127.0.0.1',
      NO_PROXY: '127.0.0.1',
    }; // the fakes of providers are on this machine
    this.process = spawn(join(BUILD, 'rummyd'), ['serve', '--dev', ...args], {
      stdio: ['ignore', log, log],
      env,
    });
    const ready = async () => {
      if (this.process.exitCode !== null) throw new Error(`rummyd ended:\n${this.log()}`);
      return fetch(`${this.url}/readyz`).then(
        (r) => r.ok,
        () => false,
      );
    };
    await until(ready, 'rummyd is not ready', HANG_MS);
  }

  quickPasswords() {
    const library = join(BUILD, QUICK_PASSWORDS);
    if (!existsSync(library)) return {};
    const here = join(this.folder, QUICK_PASSWORDS); // BUILD may contain a space, LD_PRELOAD may not
    if (!existsSync(here)) symlinkSync(library, here);
    return { LD_PRELOAD: here };
  }

  /** Creates an API key with a role, in the same way as an operator creates the first one. */
  key(role, holder = 'e2e') {
    const args = ['api-key', 'make', `${role}-${holder}`, role, holder, '--db', this.db];
    return execFileSync(join(BUILD, 'rummyd'), args, { encoding: 'utf8' }).trim();
  }

  /** Kills the server as a crash would, and starts it again. */
  async killAndRestart() {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGKILL');
    await gone;
    await this.startServer();
  }

  /** Stops the server as an operator does; returns its exit code, or null if it had to be killed. */
  async stopServer() {
    const gone = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGTERM');
    const killer = setTimeout(() => this.process.kill('SIGKILL'), HANG_MS);
    const code = await gone;
    clearTimeout(killer);
    return code;
  }

  log() {
    return readFileSync(this.logFile, 'utf8').slice(-4000);
  }

  /** Returns the rows of a statement, each an array of texts. */
  sql(statement, conninfo = this.db) {
    const args = [
      '-X',
      '-q',
      '-t',
      '-A',
      '-F',
      '\t',
      '-v',
      'ON_ERROR_STOP=1',
      '-d',
      conninfo,
      '-c',
      statement,
    ];
    const text = execFileSync('psql', args, { encoding: 'utf8' }).trim();
    return text === '' ? [] : text.split('\n').map((line) => line.split('\t'));
  }

  async stop() {
    if (this.process && this.process.exitCode === null) await this.stopServer();
    if (this.base) this.sql(`DROP DATABASE IF EXISTS ${this.database} WITH (FORCE)`, this.base);
    if (this.base && !process.env.RUMMY_TEST_CLUSTER) execFileSync(PG, ['stop', this.cluster]);
    rmSync(this.folder, { recursive: true, force: true });
  }
}
