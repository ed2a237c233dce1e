/* The service worker as a browser runs it: what a push shows, and what a click on it opens. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';

const SOURCE = readFileSync(fileURLToPath(new URL('sw.js', import.meta.url)), 'utf8');

interface Shown {
  title: string;
  tag: string;
  renotify: boolean;
  data: { address: string };
}

/** Pushes a message. Returns the notification that is shown, and the address that a click on it opens while
 * the page is open at `open`. */
async function pushed(message: unknown, open = '/') {
  const listeners: Record<string, (event: object) => void> = {};
  const shown: Shown[] = [];
  const opened: string[] = [];
  const page = { url: `https://play.example${open}`, focus: () => opened.push(`focus ${open}`) };
  const self = {
    registration: {
      showNotification: (title: string, more: object) => shown.push({ title, ...more } as Shown),
    },
    clients: {
      matchAll: () => Promise.resolve([page]),
      openWindow: (address: string) => opened.push(address),
    },
  };
  const addEventListener = (name: string, act: (event: object) => void) => (listeners[name] = act);
  runInNewContext(`const VERSION = '1', FILES = [];${SOURCE}`, { self, addEventListener, URL });
  const work: unknown[] = [];
  const waitUntil = (done: unknown) => work.push(done);
  listeners['push']?.({ data: { json: () => message }, waitUntil });
  const notification = { data: shown[0]?.data, close: () => undefined };
  if (shown[0]) listeners['notificationclick']?.({ notification, waitUntil });
  await Promise.all(work);
  return { shown: shown[0], opened };
}

it.each([
  ['friend', { player_id: '4' }, '/friends'],
  ['season', { season: 4 }, '/leagues'],
  ['table_invite', { code: 'AB12cd' }, '/join/AB12cd'],
  ['table_invite', { code: '../admin' }, '/'],
  ['tournament_table', { table_id: '17', round: 2 }, '/table/17'],
  ['tournament_table', {}, '/'],
  ['your_turn', { table_id: '17' }, '/table/17'],
  ['your_turn', { table_id: '17/../../admin' }, '/'],
])('opens what %s %j is about', async (kind, data, address) => {
  const { shown, opened } = await pushed({ kind, title: 'News', body: 'Text', data }, '/learn');
  expect(shown).toMatchObject({ title: 'News', tag: `${kind} ${address}`, renotify: true });
  expect(opened).toEqual([address]);
});

it('returns to the table that is open already', async () => {
  const message = { kind: 'tournament_table', title: 'News', data: { table_id: '17' } };
  expect((await pushed(message, '/table/17')).opened).toEqual(['focus /table/17']);
});

it.each([[{ kind: 'fax', title: 'x' }], [{ kind: 'toString', title: 'x' }], [{ kind: 'friend' }], [null]])(
  'shows nothing of %j',
  async (message) => expect((await pushed(message)).shown).toBeUndefined(),
);
