/* The pages around the table on fixed answers (answers.mjs), no server behind them. E2E_SHOTS names a folder for a picture of
 * each page that is looked at. */
import { join } from 'node:path';
import { ANSWERS } from './answers.mjs';
import { openPage, turnTo } from './browser.mjs';
import { equal } from './harness.mjs';
import { here } from './here.mjs';
import { answersPing, SESSION } from './stage.mjs';
import { answerFor } from './static.mjs';

const PICTURE = { t: 'lobby', d: { rooms: [], tables: [], online: 3, playing: 1 } };

/** An answer that does not come. */
export const NEVER = () => new Promise(() => undefined);

/** A signed-in page on answers that a test may change: a value, a text, or a function of the request; '' is an empty answer. Without
 * answers (null) no server is reached.
 * It is opened once and used by one test after the other: a new one has to compile all of the page again. */
export class Site {
  async open(browser, origin, { intercepted = false, ...options } = {}) {
    this.origin = origin;
    this.begin();
    Object.assign(this, await openPage(browser, { reducedMotion: 'reduce', ...options }));
    await this.page.addInitScript(
      (s) => s && localStorage.setItem('rummyd:session', JSON.stringify(s)),
      options.stranger ? null : SESSION,
    );
    if (intercepted) await this.page.route('**/v1/**', (route) => this.intercept(route));
    else await answerFor(this.page, (request) => this.answer(request));
    await this.page.routeWebSocket(/\/ws\/lobby/, (socket) => {
      this.lobbies.push(socket);
      socket.onMessage((text) => answersPing(socket, JSON.parse(text)));
      socket.send(JSON.stringify(PICTURE));
    });
    return this;
  }

  begin(answers = ANSWERS) {
    this.answers = answers;
    this.lobbies = [];
  }

  /** As `answerFor` of static.mjs wants it. */
  async answer(request) {
    if (this.answers === null) return null;
    const path = new URL(request.url()).pathname;
    if (path === '/v1/lobby/tickets')
      return {
        json: { ws_url: 'ws://127.0.0.1:1/ws/lobby', ticket: 't', expires_at: '2030-01-01T00:00:00.000Z' },
      };
    const found = this.answers[path];
    const json = typeof found === 'function' ? await found(request) : found;
    if (json === '') return { status: 204 };
    if (typeof json === 'string') return { text: json };
    if (json?.code && json.status) return { status: json.status, json };
    return json ? { json } : { status: 404, json: { code: 'not_found', title: 'Not found', status: 404 } };
  }

  /** Where more answers stay out than a browser has connections. */
  async intercept(route) {
    const given = await this.answer(route.request());
    if (given === null) return route.abort();
    const { text, ...rest } = given;
    return route.fulfill(text === undefined ? rest : { contentType: 'text/plain', body: text });
  }

  tell(d) {
    this.lobbies.at(-1).send(JSON.stringify({ t: 'notification', d }));
  }

  goto(path) {
    return this.page.goto(this.origin + path);
  }

  /** Another page of the document that is open, until it says no more that something is on its way. */
  async turn(path) {
    await turnTo(this.page, path);
    await this.page.locator('main h1, main h2').first().waitFor();
    await this.page.waitForFunction(() => !document.querySelector('main [role=status].dim'));
  }

  async shot(name) {
    if (process.env.E2E_SHOTS)
      await this.page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}.png`), fullPage: true });
  }

  /** No error so far. */
  clean() {
    equal(this.errors.splice(0), [], 'errors of the page');
  }
}

const LAPTOP = { viewport: { width: 1366, height: 768 } };
export const AWAY = { code: 'unavailable', status: 503, title: 'The database is away.' };

/** One for all tests that do something, and one for a stranger. */
const sites = new Map();

export async function opened(path, work, { more = {}, stranger = false } = {}) {
  if (!sites.has(stranger))
    sites.set(stranger, await new Site().open(here.browser, here.origin, { stranger, ...LAPTOP }));
  const site = sites.get(stranger);
  site.begin({ ...ANSWERS, ...more });
  await site.goto(path);
  await work(site.page, site);
  site.clean();
}
