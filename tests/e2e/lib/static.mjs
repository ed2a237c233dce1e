/* The built page on a separate port, for tests without a server. API requests are handled here, too: if
 * Playwright intercepted them, the browser would fetch and compile the whole page again on every load. */
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

/* Headers that rummyd sends. The name of a cached file changes with its content. */
const VARY = { Vary: 'Origin, Accept-Encoding' };
const KEPT = { 'Cache-Control': 'public, max-age=31536000, immutable' };
/* rummyd's policy for styles and scripts (server/http); a page that violates it gets a console error. */
const POLICY = {
  'Content-Security-Policy':
    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-hashes' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
};
const TYPES = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' },
  ...{ '.woff2': 'font/woff2', '.wasm': 'application/wasm' },
  ...{ '.png': 'image/png', '.webmanifest': 'application/manifest+json' },
};

/** Name of a page, which it sends with each request → handler of its requests. */
const NAME = 'x-test-page';
const answering = new Map();

/** Makes `answer` handle API requests of this page: it gets a request with the methods of Playwright's, and
 * returns { status, json or text }, or null to simulate an unreachable server. */
export async function answerFor(page, answer) {
  const name = randomUUID();
  answering.set(name, answer);
  page.once('close', () => answering.delete(name));
  await page.setExtraHTTPHeaders({ [NAME]: name });
}

async function read(request) {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  return {
    method: () => request.method,
    url: () => `http://${request.headers.host}${request.url}`,
    headers: () => request.headers,
    postData: () => body || null,
    postDataJSON: () => (body ? JSON.parse(body) : null),
  };
}

async function answerApi(request, response) {
  const answer = answering.get(request.headers[NAME]);
  const given = answer ? await answer(await read(request)) : { status: 404, json: {} };
  if (given === null) return request.socket.destroy();
  const { status = 200, json, text = '' } = given;
  response
    .writeHead(status, {
      'Content-Type': json ? 'application/json' : 'text/plain',
      'Cache-Control': 'no-store',
    })
    .end(json ? JSON.stringify(json) : text);
}

export async function serveStatic(dir, port) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname);
    if (path.startsWith('/v1/')) return answerApi(request, response);
    const file = extname(path) ? path : '/index.html';
    try {
      let body = await readFile(join(dir, file));
      if (file === '/sw.js' && server.worker) body = server.worker(String(body)); // as if from a later build
      response
        .writeHead(200, {
          'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream',
          ...VARY,
          ...POLICY,
          ...(file.startsWith('/assets/') && KEPT),
        })
        .end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.keepAliveTimeout = 0; // a connection that closes between two requests would count as an error of the page
  await new Promise((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done));
  return server;
}
