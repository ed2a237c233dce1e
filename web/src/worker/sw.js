/* The service worker: the page without a line, and what is pushed to it. It holds the files of the build and nothing that
 * anybody is: no answer of the server's is ever kept. The build puts VERSION and FILES in front (scripts/worker/plugin.ts). */
/* global VERSION, FILES */
const PREFIX = 'rummyd-';
const HERE = PREFIX + VERSION;
/** An open table goes on with the files that it began with: those of the version before stay. */
const VERSIONS_KEPT = 2;
const PAGE = '/';
const table = ({ table_id: id }) => (/^[0-9]+$/.test(id) ? `/table/${id}` : PAGE);
/** What a click on a notification opens. */
const ADDRESSES = {
  friend: () => '/friends',
  season: () => '/leagues',
  table_invite: ({ code }) => (/^[A-Za-z0-9]{6}$/.test(code) ? `/join/${code}` : PAGE),
  tournament_table: table,
  your_turn: table,
};

/** Files whose names change with what is in them, and the icons: once fetched they are kept. */
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

/** The page says what it has fetched before there was a worker, and when the player wants the new version. */
addEventListener('message', (event) => {
  const { t, paths } = event.data ?? {};
  if (t === 'take') void self.skipWaiting();
  if (t !== 'keep' || !Array.isArray(paths)) return;
  const files = paths.filter((path) => typeof path === 'string' && isFile(path));
  event.waitUntil(
    caches.open(HERE).then((cache) => Promise.allSettled(files.map((path) => cache.add(path)))),
  );
});

/** A browser names the page's origin when it asks for a module, and the server says that answers vary by it: these do not. */
const SAME = { ignoreVary: true };

/** In this version's files first, then in those of the one before. A cache that cannot be read holds nothing. */
async function find(request) {
  try {
    const own = await caches.open(HERE);
    return (await own.match(request, SAME)) ?? (await caches.match(request, SAME));
  } catch {
    return undefined;
  }
}

/** A full disk must not turn a file that arrived into one that failed. */
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

/** The newest page where there is a line, the one that is kept where there is none. */
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
    return; // nothing of ours
  }
  const { kind, title, body, data } = said;
  if (!Object.hasOwn(ADDRESSES, kind) || typeof title !== 'string') return;
  const address = ADDRESSES[kind](data ?? {});
  const shown = {
    body: typeof body === 'string' ? body : '',
    icon: '/icon-192.png',
    tag: `${kind} ${address}`, // takes the place of an older one about the same
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
