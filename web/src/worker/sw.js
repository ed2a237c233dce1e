/* The service worker: offline use of the page, and push. It stores files of the build but no personal data,
 * because API responses are never cached. The build prepends VERSION and FILES
 * (scripts/worker/plugin.ts). */
/* global VERSION, FILES */
const PREFIX = 'rummyd-';
const HERE = PREFIX + VERSION;
/** An open table continues with the files with which it was loaded, so those of the previous version are
 * kept. */
const VERSIONS_KEPT = 2;
const PAGE = '/';
const table = ({ table_id: id }) => (/^[0-9]+$/.test(id) ? `/table/${id}` : PAGE);
/** Address opened by a click on a notification. */
const ADDRESSES = {
  friend: () => '/friends',
  season: () => '/leagues',
  table_invite: ({ code }) => (/^[A-Za-z0-9]{6}$/.test(code) ? `/join/${code}` : PAGE),
  tournament_table: table,
  your_turn: table,
};

/** Files with a content hash in their names, and the icons: cached once loaded. */
const isFile = (path) => /^\/(assets\/|icon|manifest\.webmanifest$)/.test(path);
const isNotOurs = (path) => /^\/(v1|ws|admin|metrics|healthz|readyz)(\/|$)/.test(path);

addEventListener('install', (event) => {
  event.waitUntil(caches.open(HERE).then((cache) => cache.addAll(FILES)));
});

addEventListener('activate', (event) => {
  const old = async () => {
    const own = (await caches.keys()).filter((name) => name.startsWith(PREFIX) && name !== HERE);
    await Promise.all(own.slice(0, -(VERSIONS_KEPT - 1)).map((name) => caches.delete(name)));
  };
  event.waitUntil(old());
});

/** The page reports the files that it loaded before the worker was installed, and when the player wants the
 * new version. */
addEventListener('message', (event) => {
  const { t, paths } = event.data ?? {};
  if (t === 'take') void self.skipWaiting();
  if (t !== 'keep' || !Array.isArray(paths)) return;
  const files = paths.filter((path) => typeof path === 'string' && isFile(path));
  event.waitUntil(
    caches.open(HERE).then((cache) => Promise.allSettled(files.map((path) => cache.add(path)))),
  );
});

/** A browser sends the page's origin when it requests a module, and the server's responses vary by origin.
 * Cached responses must not. */
const SAME = { ignoreVary: true };

/** Searches this version's files first, then those of the previous one. An unreadable cache counts as
 * empty. */
async function find(request) {
  try {
    const own = await caches.open(HERE);
    return (await own.match(request, SAME)) ?? (await caches.match(request, SAME));
  } catch {
    return undefined;
  }
}

/** A full disk must not make a file that has arrived count as failed. */
async function keep(request, answer) {
  try {
    await (await caches.open(HERE)).put(request, answer);
  } catch {
    // The next request fetches it again.
  }
}

async function kept(request) {
  const found = await find(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) await keep(request, answer.clone());
  return answer;
}

/** The newest page if online, the cached one if offline. */
async function page(request) {
  try {
    return await fetch(request);
  } catch (error) {
    const found = await find(PAGE);
    if (found) return found;
    throw error;
  }
}

addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== 'GET' || origin !== location.origin || isNotOurs(pathname)) return;
  if (request.mode === 'navigate') event.respondWith(page(request));
  else if (isFile(pathname)) event.respondWith(kept(request));
});

addEventListener('push', (event) => {
  let said = {};
  try {
    said = event.data?.json() ?? {};
  } catch {
    return; // not ours
  }
  const { kind, title, body, data } = said;
  if (!Object.hasOwn(ADDRESSES, kind) || typeof title !== 'string') return;
  const address = ADDRESSES[kind](data ?? {});
  const shown = {
    body: typeof body === 'string' ? body : '',
    icon: '/icon-192.png',
    tag: `${kind} ${address}`, // replaces an older notification about the same thing
    renotify: true,
    data: { address },
  };
  event.waitUntil(self.registration.showNotification(title, shown));
});

addEventListener('notificationclick', (event) => {
  event.notification.close();
  const address = event.notification.data?.address ?? PAGE;
  const go = async () => {
    const windows = await self.clients.matchAll({ type: 'window' });
    const open = windows.find((client) => new URL(client.url).pathname === address);
    return open ? open.focus() : self.clients.openWindow(address);
  };
  event.waitUntil(go());
});
