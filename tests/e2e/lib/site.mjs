/* The pages around the table with mocked responses (answers.mjs), without a server. E2E_SHOTS is the folder
 * for a screenshot of each page. */
import { join } from 'node:path';
import { ANSWERS } from './answers.mjs';
import { keepSession, openPage, turnTo } from './browser.mjs';
import { equal } from './harness.mjs';
import { here } from './here.mjs';
import { answersPing, SESSION } from './stage.mjs';
import { answerFor } from './static.mjs';

const PICTURE = {
  rooms: [],
  games: [{ variant: 'straight', playing: 1, waiting: 2 }],
  tables: [],
  online: 3,
  playing: 1,
};

/** A response that never arrives. */
export const NEVER = () => new Promise(() => undefined);

/** A signed-in page with responses that a test may change: a value, a text, or a function of the request; ''
 * is an empty response. Without responses (null) no server is reachable. All tests reuse it, because a new
 * one has to compile the whole page again. */
export class Site {
  async open(browser, origin, { intercepted = false, ...options } = {}) {
    this.origin = origin;
    this.begin();
    Object.assign(this, await openPage(browser, { reducedMotion: 'reduce', ...options }));
    if (!options.stranger) await keepSession(this.page, SESSION);
    if (intercepted) await this.page.route('**/v1/**', (route) => this.intercept(route));
    else await answerFor(this.page, (request) => this.answer(request));
    await this.page.routeWebSocket(/\/ws\/lobby/, (socket) => {
      this.lobbies.push(socket);
      socket.onMessage((text) => answersPing(socket, JSON.parse(text)));
      socket.send(JSON.stringify({ t: 'lobby', d: this.picture }));
    });
    return this;
  }

  begin(answers = ANSWERS) {
    this.answers = answers;
    this.picture = PICTURE;
    this.lobbies = [];
  }

  /** Has the signature of an `answerFor` handler (static.mjs). */
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

  /** More responses can be pending than a browser has connections. */
  async intercept(route) {
    const given = await this.answer(route.request());
    if (given === null) return route.abort();
    const { text, ...rest } = given;
    return route.fulfill(text === undefined ? rest : { contentType: 'text/plain', body: text });
  }

  /** Sends a frame to the page's lobby socket. */
  send(frame) {
    this.lobbies.at(-1).send(JSON.stringify(frame));
  }

  tell(d) {
    this.send({ t: 'notification', d });
  }

  goto(path) {
    return this.page.goto(this.origin + path);
  }

  /** Navigates inside the open document, and waits until nothing is loading. */
  async turn(path) {
    await turnTo(this.page, path);
    await this.page.locator('main h1, main h2').first().waitFor();
    await this.page.waitForFunction(() => !document.querySelector('main [role=status].dim'));
  }

  async shot(name) {
    if (process.env.E2E_SHOTS)
      await this.page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}.png`), fullPage: true });
  }

  /** Checks that the page has had no error so far. */
  clean() {
    equal(this.errors.splice(0), [], 'errors of the page');
  }
}

const LAPTOP = { viewport: { width: 1366, height: 768 } };
export const AWAY = { code: 'unavailable', status: 503, title: 'The database is away.' };

/** One site for all tests of a signed-in player, and one for those of a visitor without an account. */
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
