/* Debian's WebKitGTK, controlled by WebDriver (W3C), because Playwright supports only its own patched WebKit.
 * It needs a display, so a virtual one is started with it. Contains only what a short tour of the page
 * needs. */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { freePorts } from './ports.mjs';
import { HANG_MS, until } from './harness.mjs';

const LIBRARIES = '/usr/lib';

/** The browser is not in PATH, but in the folder of its library. */
function miniBrowser() {
  const found = readdirSync(LIBRARIES)
    .filter((name) => name.endsWith('-linux-gnu'))
    .flatMap((triplet) =>
      readdirSync(`${LIBRARIES}/${triplet}`).map((name) => `${LIBRARIES}/${triplet}/${name}`),
    )
    .filter((path) => /\/(webkit2gtk-4\.[01]|webkitgtk-6\.0)$/.test(path))
    .map((path) => `${path}/MiniBrowser`);
  if (found.length === 0) throw new Error('MiniBrowser is not installed (Debian package webkit2gtk-driver)');
  return found[0];
}

/** Xvfb itself chooses a free display, and writes its number to the descriptor. */
async function startDisplay() {
  const display = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1400x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const number = await new Promise((done, failed) => {
    display.once('error', failed);
    display.once('exit', () => failed(new Error('Xvfb ended')));
    display.stdio[3].once('data', (text) => done(String(text).trim()));
  });
  return { display, name: `:${number}` };
}

export class WebKit {
  /** A fresh window of this size. */
  static async open({ width, height }) {
    const webkit = new WebKit();
    try {
      const { display, name } = await startDisplay();
      webkit.display = display;
      const [port] = await freePorts(1);
      webkit.server = `http://127.0.0.1:${port}`;
      const env = { ...process.env, DISPLAY: name, WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: '1' };
      webkit.driver = spawn('WebKitWebDriver', [`--port=${port}`], { stdio: 'ignore', env });
      await until(
        () =>
          fetch(`${webkit.server}/status`).then(
            (r) => r.ok,
            () => false,
          ),
        'WebKitWebDriver',
      );
      const options = { binary: miniBrowser(), args: ['--automation'] };
      const { sessionId } = await webkit.call('POST', '/session', {
        capabilities: { alwaysMatch: { 'webkitgtk:browserOptions': options } },
      });
      webkit.session = `/session/${sessionId}`;
      await webkit.command('POST', '/timeouts', { script: HANG_MS });
      await webkit.resize(width, height);
      return webkit;
    } catch (error) {
      await webkit.close();
      throw error;
    }
  }

  async call(method, path, body) {
    const answer = await fetch(this.server + path, {
      method,
      headers: { 'Content-Type': 'application/json' },
      body: body && JSON.stringify(body),
    });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`WebDriver ${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  }

  command(method, path, body) {
    return this.call(method, this.session + path, body);
  }

  /** Sets the page to this size; the window is larger because of its bars. */
  async resize(width, height) {
    const page = await this.run(() => [innerWidth, innerHeight]);
    const window = await this.command('GET', '/window/rect');
    const rect = { width: window.width + width - page[0], height: window.height + height - page[1] };
    await this.command('POST', '/window/rect', rect);
  }

  async goto(url) {
    await this.command('POST', '/url', { url });
    await this.run(() => {
      window.failures = [];
      addEventListener('error', ({ message }) => window.failures.push(message));
      addEventListener('unhandledrejection', ({ reason }) => window.failures.push(String(reason)));
    });
  }

  /** Errors thrown by the page since it was loaded. */
  failures() {
    return this.run(() => window.failures);
  }

  /** Runs `work` in the page. */
  run(work, ...args) {
    return this.command('POST', '/execute/sync', { script: `return (${work})(...arguments)`, args });
  }

  /** Returns the result of `work` in the page once it is not empty. The page itself polls, because the
   * driver occasionally loses a reply when it is called many times per second. */
  async when(work, what, ...args) {
    const script = `
      const done = arguments[arguments.length - 1];
      const look = () => {
        const found = (${work})(...arguments);
        if (found) done(found);
        else setTimeout(look, 50);
      };
      look();`;
    const found = await this.command('POST', '/execute/async', { script, args }).catch((error) => error);
    if (found instanceof Error) throw new Error(`${what}: ${found.message}`);
    return found;
  }

  /** Position of the visible element with the selector and, if given, a text or label that begins with
   * `name`. Only the edge of a card of the hand is certainly not covered. */
  place(selector, name = null) {
    const shown = (css, text) => {
      const found = [...document.querySelectorAll(css)].find(
        (el) =>
          el.checkVisibility() &&
          (text === null ||
            [el.textContent.trim(), el.getAttribute('aria-label')].some((named) => named?.startsWith(text))),
      );
      if (!found) return null;
      found.scrollIntoView({ block: 'nearest' });
      const { x, y, width, height } = found.getBoundingClientRect();
      const inset = found.closest('.hand') ? { x: 8, y: 24 } : { x: width / 2, y: height / 2 };
      const place = { x: Math.round(x + inset.x), y: Math.round(y + inset.y) };
      const before = window.lookedAt;
      const looks =
        before?.found === found && before.x === place.x && before.y === place.y ? before.looks + 1 : 0;
      window.lookedAt = { found, ...place, looks };
      return looks >= 10 ? place : null; // cards and buttons move, and the hand changes its layout
    };
    return this.when(shown, `${selector} ${name ?? ''}`, selector, name);
  }

  async click(selector, name) {
    const { x, y } = await this.place(selector, name);
    await this.command('POST', '/actions', {
      actions: [
        {
          type: 'pointer',
          id: 'mouse',
          actions: [
            { type: 'pointerMove', x, y },
            { type: 'pointerDown', button: 0 },
            { type: 'pointerUp', button: 0 },
          ],
        },
      ],
    });
  }

  /** Types into the focused field. */
  async type(text) {
    const keys = [...text].flatMap((value) => [
      { type: 'keyDown', value },
      { type: 'keyUp', value },
    ]);
    await this.command('POST', '/actions', { actions: [{ type: 'key', id: 'keys', actions: keys }] });
  }

  async close() {
    if (this.session) await this.command('DELETE', '').catch(() => undefined);
    this.driver?.kill();
    this.display?.kill();
  }
}
