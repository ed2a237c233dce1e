/* The built page on a port of its own, for tests that need no server behind it. */
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

/* As rummyd sends them. The name of what is kept changes with the content. */
const VARY = { Vary: 'Origin, Accept-Encoding' };
const KEPT = { 'Cache-Control': 'public, max-age=31536000, immutable' };
/* Its policy for styles and scripts (server/http): a page that breaks it has an error on its console. */
const POLICY = {
  'Content-Security-Policy':
    "script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; style-src-attr 'unsafe-hashes' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
};
const TYPES = {
  ...{ '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' },
  ...{ '.woff2': 'font/woff2', '.wasm': 'application/wasm' },
  ...{ '.png': 'image/png', '.webmanifest': 'application/manifest+json' },
};

export async function serveStatic(dir, port) {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url, 'http://x').pathname);
    const file = extname(path) ? path : '/index.html';
    try {
      let body = await readFile(join(dir, file));
      if (file === '/sw.js' && server.worker) body = server.worker(String(body)); // as a later build would make it
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
  await new Promise((done, failed) => server.once('error', failed).listen(port, '127.0.0.1', done));
  return server;
}
