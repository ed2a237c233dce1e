/* Visitors who follow a link or come back, on a real server and in two languages: a friend's table in two taps, tables that cannot be
 * joined, invitations, sessions that the server has ended, open pages, pages for players, and no connection. E2E_SHOTS names a folder
 * for screenshots. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { violations } from '../lib/axe.mjs';
import { openPage, WAIT_MS } from '../lib/browser.mjs';
import { settleGame } from '../lib/games.mjs';
import { LONG, short, until } from '../lib/harness.mjs';
import { PASSWORD } from '../lib/people.mjs';
import { ROOT } from '../lib/server.mjs';
import { closeClean, expect, fitsWidth, test } from '../lib/test.mjs';
import { announced } from '../lib/tournaments.mjs';

const PHONE = { width: 360, height: 740 };
const SIZES = [PHONE, { width: 844, height: 390 }, { width: 1366, height: 650 }];
const FINGER = 44;
const LANGUAGES = { en: 'en-GB', de: 'de-DE' };
const QUICK_MS = 10_000;

const said = Object.fromEntries(
  Object.keys(LANGUAGES).map((tag) => [
    tag,
    JSON.parse(readFileSync(join(ROOT, `web/src/lib/messages/${tag}.json`), 'utf8')),
  ]),
);

/** A player who acts over REST. */
class Host {
  constructor(url, language = 'en') {
    this.url = url;
    this.language = language;
  }

  async ask(method, path, body) {
    const answer = await fetch(this.url + path, {
      method,
      headers: {
        'Content-Type': 'application/json',
        'Accept-Language': this.language,
        'Idempotency-Key': crypto.randomUUID(),
        ...(this.token && { Authorization: `Bearer ${this.token}` }),
      },
      body: body && JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return answer.status === 204 ? null : answer.json();
  }

  async enter(nickname) {
    this.token = (await this.ask('POST', '/v1/auth/guest', { nickname })).access_token;
    return this;
  }

  open(body) {
    return this.ask('POST', '/v1/tables', { variant: 'treff', visibility: 'private', ...body });
  }
}

/** Registers an account over REST. */
async function account(url, language, nickname, email) {
  await new Host(url, language).ask('POST', '/v1/auth/register', { email, password: PASSWORD, nickname });
}

/** Views that `walk` shows to axe and to its other inspectors; in the long form, axe checks them here as well. */
const WALKED = /^(inviting|join|join-taken|join-full|join-gone|join-over|invite|to-see|open-leaderboards)$/;
/** Counts the views, which use the other windows in turn. */
let shown = 0;

/** Each view on a phone and in one of the other windows; in the long form, in all of them. ready: the
 * condition to wait for in each window. */
async function looksRight(page, name, language, ready = 'body') {
  if (LONG || !WALKED.test(name)) expect(await violations(page), 'what axe finds').toEqual([]);
  const [phone, ...others] = SIZES;
  for (const size of LONG ? SIZES : [phone, others[shown++ % others.length]]) {
    await page.setViewportSize(size);
    await page.locator(ready).first().waitFor();
    await fitsWidth(page, `${name} at ${size.width}`);
    const small = () =>
      page
        .locator('main .btn.primary, main .ways .btn')
        .evaluateAll(
          (buttons, least) =>
            buttons
              .filter((b) => b.checkVisibility() && Math.round(b.getBoundingClientRect().height) < least)
              .map((b) => b.textContent),
          FINGER,
        );
    await expect.poll(small, `small buttons of ${name} at ${size.width}`).toEqual([]);
    if (process.env.E2E_SHOTS)
      await page.screenshot({ path: join(process.env.E2E_SHOTS, `${name}-${language}-${size.width}.png`) });
  }
  await page.setViewportSize(PHONE);
}

for (const [language, locale] of Object.entries(short(LANGUAGES, 'en')))
  test.describe(language, () => {
    const say = (key, values = {}) =>
      said[language][key].replaceAll(/\{(\w+)(?:, number)?\}/g, (_, name) => values[name]);
    const nameOf = (nick) => `${nick} ${language}`;
    let url;

    test.beforeAll(({ platform }) => {
      platform.fillAfter(600_000);
      url = platform.url;
    });
    test.afterAll(({ platform }) => platform.fillAfter());

    /** Opens an address in the visitor's browser. */
    async function stranger(browser, path) {
      const opened = await openPage(browser, {
        viewport: PHONE,
        hasTouch: true,
        reducedMotion: 'reduce',
        locale,
      });
      await opened.page.goto(url + path);
      return opened;
    }
    const button = (page, key, values) => page.getByRole('button', { name: say(key, values), exact: true });
    const heading = (page, key, values) => page.getByRole('heading', { name: say(key, values), exact: true });
    const seated = (page) => page.waitForURL(/\/table\/\d+$/);

    async function signIn(page, email) {
      await page.locator('input[name="email"]').fill(email);
      await page.locator('input[name="password"]').fill(PASSWORD);
      await page.locator('.entrance .btn.primary').tap();
    }

    test('a player who waits at their table can share, copy, or show its link', async ({ browser }) => {
      const opened = await openPage(browser, {
        viewport: PHONE,
        hasTouch: true,
        reducedMotion: 'reduce',
        locale,
        permissions: ['clipboard-read', 'clipboard-write'],
      });
      const { page } = opened;
      await page.addInitScript(() => {
        navigator.share = async (data) => void (window.shared = data);
      });
      await page.goto(url);
      await button(page, 'enter.play').tap();
      await heading(page, 'page.lobby').waitFor();
      const { table_id, code } = await page.evaluate(async () => {
        const { access } = JSON.parse(localStorage['rummyd:session']);
        const headers = {
          Authorization: `Bearer ${access}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': crypto.randomUUID(),
        };
        const body = JSON.stringify({ variant: 'treff', seats: 3, visibility: 'private' });
        return (await fetch('/v1/tables', { method: 'POST', headers, body })).json();
      });
      await page.goto(`${url}/table/${table_id}`);
      const link = page.locator('.sharing input');
      await expect(link).toHaveValue(`${url}/join/${code}`);
      await button(page, 'share').tap();
      expect(await page.evaluate(() => window.shared?.url), 'what is shared').toBe(`${url}/join/${code}`);
      await looksRight(page, 'inviting', language, '.sharing');
      for (const size of SIZES) {
        await page.setViewportSize(size);
        /* The board is drawn again for another window shape. */
        await expect(async () => {
          const boxes = await page.locator('.sharing input, .sharing .btn').evaluateAll((all) =>
            all.map((one) => {
              const { top, bottom, left, right } = one.getBoundingClientRect();
              return { top, bottom, left, right };
            }),
          );
          expect(boxes.length).toBe(4);
          for (const [i, one] of boxes.entries()) {
            expect(one.bottom - one.top, `a height at ${size.width}`).toBeGreaterThanOrEqual(FINGER);
            expect(one.bottom, `the end of it at ${size.width}`).toBeLessThanOrEqual(size.height);
            const near = boxes
              .slice(i + 1)
              .filter((other) => other.top < one.bottom + 6 && other.left < one.right + 6);
            expect(near, `too near at ${size.width}`).toEqual([]);
          }
        }).toPass({ timeout: WAIT_MS });
      }
      await page.setViewportSize(PHONE);
      await button(page, 'copy.link').tap();
      await button(page, 'copied').waitFor();
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${url}/join/${code}`);
      await button(page, 'share.qr').tap();
      await page.getByRole('img', { name: say('share.qr_label') }).waitFor();
      await looksRight(page, 'qr', language);
      await closeClean(opened);
    });

    test('a friend joins the table by its link with one tap', async ({ browser }) => {
      const nickname = nameOf('Lena');
      const { code } = await (await new Host(url).enter(nickname)).open({ seats: 3, bots: 1 });
      const began = Date.now();
      const opened = await stranger(browser, `/join/${code}`);
      const { page } = opened;
      await heading(page, 'join.asks', { nickname }).waitFor();
      const shownMs = Date.now() - began;
      await page.locator('.invited strong').getByText('Treff').waitFor();
      await expect(page.locator('.invited .seats li').first()).toHaveText(nickname);
      await expect(page.locator('header.top'), 'the bar of players').toHaveCount(0);
      await looksRight(page, 'join', language);
      const tapped = Date.now();
      await button(page, 'join.guest').tap();
      await seated(page);
      await page.locator('.waiting, .hand').first().waitFor();
      const ms = shownMs + Date.now() - tapped;
      console.log(`      from the link to the table: ${ms} ms`);
      expect(!process.env.RUMMY_STRICT_TIMES || ms < QUICK_MS, `${ms} ms`).toBeTruthy();
      await closeClean(opened);
    });

    test('a player with an account signs in and returns to the link', async ({ browser }) => {
      const nickname = nameOf('Nora');
      const email = `ben.${language}@example.org`;
      await account(url, language, nameOf('Ben'), email);
      const { code } = await (await new Host(url).enter(nickname)).open({ seats: 3 });
      const opened = await stranger(browser, `/join/${code}`);
      const { page } = opened;
      await button(page, 'enter.sign_in').tap();
      await page.locator('.notice[data-to="join"]').waitFor();
      await button(page, 'back').tap();
      await heading(page, 'join.asks', { nickname }).waitFor();
      await button(page, 'enter.sign_in').tap();
      await signIn(page, email);
      await button(page, 'sit_down').tap();
      await seated(page);
      await closeClean(opened);
    });

    test('a full, taken, closed, or unknown table offers a way on', async ({ browser }) => {
      const nickname = nameOf('Mona');
      const host = await new Host(url).enter(nickname);
      const table = await host.open({ seats: 2 });
      const opened = await stranger(browser, `/join/${table.code}`);
      const { page } = opened;
      await button(page, 'join.guest').waitFor();
      const other = await new Host(url).enter(nameOf('Omar'));
      await other.ask('POST', `/v1/tables/by-code/${table.code}/seats`);
      await button(page, 'join.guest').tap();
      await page.locator('[data-join="full"]').waitFor();
      await page.getByRole('status').getByText(say('join.full.about', { nickname })).waitFor();
      await looksRight(page, 'join-taken', language);
      const late = await stranger(browser, `/join/${table.code}`);
      await late.page.getByText(say('join.full.about', { nickname })).waitFor();
      await looksRight(late.page, 'join-full', language);
      for (const one of [other, host])
        await one.ask('DELETE', `/v1/tables/${table.table_id}/seats/me`).catch(() => undefined);
      await late.page.goto(`${url}/join/ZZZZZZ`);
      await heading(late.page, 'join.gone').waitFor();
      await looksRight(late.page, 'join-gone', language);
      await late.page.goto(`${url}/join/NOCODE7`);
      await heading(late.page, 'join.gone').waitFor();
      const closed = await host.open({ seats: 2 });
      await host.ask('DELETE', `/v1/tables/${closed.table_id}/seats/me`);
      await late.page.goto(`${url}/join/${closed.code}`);
      await heading(late.page, 'join.over').waitFor();
      await late.page.getByText(say('join.over.about', { nickname })).waitFor();
      await looksRight(late.page, 'join-over', language);
      await button(late.page, 'join.quick').tap();
      await seated(late.page);
      late.errors.length = 0; // the browser counts the expected refusals as errors
      opened.errors.length = 0;
      await closeClean(late);
      await closeClean(opened);
    });

    test('an invitation names the inviter, and a guest keeps it for their account', async ({ browser }) => {
      const nickname = nameOf('Zora');
      const host = await new Host(url).enter(nickname);
      const { code } = await host.ask('POST', '/v1/invites');
      const opened = await stranger(browser, `/invite/${code}`);
      const { page } = opened;
      await page.getByText(say('invited.by', { nickname })).waitFor();
      await page.getByText(say('invited.guest')).waitFor();
      await looksRight(page, 'invite', language);
      await page.getByText(say('enter.register'), { exact: true }).tap();
      await page.getByText(say('invited.account', { n: 10 })).waitFor();
      await page.getByText(say('enter.guest'), { exact: true }).tap();
      await button(page, 'enter.play').tap();
      await heading(page, 'page.lobby').waitFor();
      await page.goto(`${url}/account`);
      await expect(page.locator('input[name="invite"]')).toHaveValue(code);
      await closeClean(opened);
      const wrong = await stranger(browser, '/invite/NOSUCH00');
      await wrong.page.getByText(say('invited.unknown')).waitFor();
      await looksRight(wrong.page, 'invite-unknown', language);
      await button(wrong.page, 'enter.play').tap();
      await heading(wrong.page, 'page.lobby').waitFor();
      await closeClean(wrong);
    });

    test('a session that the server has ended is explained, and signing in leads back', async ({
      browser,
    }) => {
      const email = `ivo.${language}@example.org`;
      await account(url, language, nameOf('Ivo'), email);
      const opened = await stranger(browser, '/');
      const { page } = opened;
      await page.getByText(say('enter.sign_in'), { exact: true }).first().tap();
      await signIn(page, email);
      await page.locator('header.top').waitFor();
      /* On another device they sign out everywhere. */
      await page.evaluate(async () => {
        const { access } = JSON.parse(localStorage['rummyd:session']);
        const headers = { Authorization: `Bearer ${access}` };
        await fetch('/v1/auth/logout-everywhere', { method: 'POST', headers });
      });
      await page.goto(`${url}/wallet`);
      await page.locator('[data-lapsed="registered"]').waitFor();
      await expect(page.locator('input[name="password"]'), 'the form of an account').toBeVisible();
      await looksRight(page, 'lapsed', language);
      await page.reload();
      await page.locator('[data-lapsed="registered"]').waitFor();
      await signIn(page, email);
      await heading(page, 'nav.wallet').waitFor();
      expect(page.url(), 'where they were').toBe(`${url}/wallet`);
      await page.reload();
      await heading(page, 'nav.wallet').waitFor();
      await expect(page.locator('[data-lapsed]')).toHaveCount(0);
      opened.errors.length = 0;
      await closeClean(opened);
    });

    test('a guest whose session has ended comes back as the same guest', async ({ browser }) => {
      const opened = await stranger(browser, '/');
      const { page } = opened;
      await page.locator('input[name="nickname"]').fill(nameOf('Gus'));
      await button(page, 'enter.play').tap();
      await heading(page, 'page.lobby').waitFor();
      await page.evaluate(() => {
        const session = JSON.parse(localStorage['rummyd:session']);
        localStorage['rummyd:session'] = JSON.stringify({ ...session, refresh: 'x'.repeat(43), renewAt: 0 });
      });
      await page.goto(`${url}/profile`);
      await page.locator('[data-lapsed="guest"]').waitFor();
      await looksRight(page, 'lapsed-guest', language);
      await button(page, 'enter.play').tap();
      await page.getByRole('heading', { name: nameOf('Gus') }).waitFor();
      opened.errors.length = 0;
      await closeClean(opened);
    });

    test('public pages work without an account, and lead to sign-up and back', async ({
      browser,
      platform,
    }) => {
      const host = await new Host(url, language).enter(nameOf('Ada'));
      const me = await host.ask('GET', '/v1/me');
      const other = await (await new Host(url, language).enter(nameOf('Bo'))).ask('GET', '/v1/me');
      settleGame(platform, me.id, other.id);
      const game = (await host.ask('GET', '/v1/games')).items[0].id;
      const tournament = await announced(platform, platform.key('games', `strangers-${language}`), {
        name: nameOf('Cup'),
        kind: 'knockout',
        variant: 'points',
        seats: 2,
        advance: 1,
        entry: 0,
        entries_max: 4,
        starts_at: new Date(Date.now() + 86_400_000).toISOString(),
      });
      const opened = await stranger(browser, `/players/${me.id}`);
      const { page } = opened;
      await page
        .getByRole('heading', { name: nameOf('Ada') })
        .first()
        .waitFor();
      await looksRight(page, 'open-player', language);
      for (const [path, title] of [
        ['/leaderboards', 'page.leaderboards'],
        ['/leagues', 'nav.leagues'],
        ['/tournaments', 'page.tournaments'],
        ['/clubs', 'page.clubs'],
        ['/daily', 'page.daily'],
        ['/puzzles', 'page.puzzles'],
      ]) {
        await page.goto(url + path);
        await heading(page, title).waitFor();
        await expect(page.locator('.error-text'), path).toHaveCount(0);
        await looksRight(page, `open${path.replace('/', '-')}`, language);
      }
      await page.goto(`${url}/games/${game}`);
      await page.locator('table').getByText(nameOf('Ada')).waitFor();
      await looksRight(page, 'open-game', language);
      await page.goto(`${url}/tournaments/${tournament}`);
      await page.locator('.own .btn.primary').tap();
      await page.locator('.entrance').waitFor();
      await button(page, 'back').tap();
      await page.locator('.own .btn.primary').tap();
      await button(page, 'enter.play').tap();
      await page.locator('header.top').waitFor();
      await page.locator('.own .btn.primary').waitFor();
      await closeClean(opened);
    });

    test('a page for players asks strangers to sign in, then opens', async ({ browser }) => {
      const opened = await stranger(browser, '/friends');
      const { page } = opened;
      await page.locator('.notice[data-to="friends"]').getByText(say('page.friends')).waitFor();
      await page.locator('.notice').getByText(say('enter.guest_enough')).waitFor();
      await looksRight(page, 'to-see', language);
      await button(page, 'enter.play').tap();
      await page.locator('header.top').waitFor();
      await heading(page, 'page.friends').waitFor();
      await closeClean(opened);
      const lost = await stranger(browser, '/nosuch');
      await heading(lost.page, 'app.unknown').waitFor();
      await expect(lost.page.locator('.entrance'), 'a door to nothing').toHaveCount(0);
      await closeClean(lost);
    });

    test('without a connection, practice is one tap away', async ({ browser }) => {
      const opened = await stranger(browser, '/');
      const { page } = opened;
      await page.route('**/v1/auth/guest', (route) => route.abort());
      await button(page, 'enter.play').tap();
      await page.getByText(say('app.unreached.practice')).waitFor();
      await looksRight(page, 'offline-entrance', language);
      await page.locator('.entrance a[href="/practice"]').tap();
      await until(() => page.url().endsWith('/practice'), 'no practice');
      opened.errors.length = 0;
      await closeClean(opened);
    });
  });
