/* Build of the players' page (index.html) and of the operators' (admin/index.html). `npm run dev` serves both with hot
 * reload and forwards /v1 to a running rummyd (RUMMYD_HTTP, default http://127.0.0.1:8080). Live tables
 * connect to the ws_url that the server returns. */
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { chunks } from './scripts/chunks';
import { first } from './scripts/preload';
import { heads } from './scripts/heads/heads';
import { messages } from './scripts/messages/plugin';
import { worker } from './scripts/worker/plugin';

const backend = process.env['RUMMYD_HTTP'] ?? 'http://127.0.0.1:8080';

/** Whether bench/coverage is measuring which lines of the sources run. */
const counted = 'RUMMY_V8_COVERAGE' in process.env;

/** As on the server, every address below /admin/ is the operators' page. */
const adminAddresses: Plugin = {
  name: 'admin-addresses',
  configureServer(server) {
    server.middlewares.use((request, _response, next) => {
      if (/^\/admin(\/[^.]*)?(\?|$)/.test(request.url ?? '')) request.url = '/admin/index.html';
      next();
    });
  },
};

export default defineConfig({
  plugins: [adminAddresses, svelte(), messages(), worker(), first(), heads()],
  resolve: {
    alias: {
      $lib: fileURLToPath(new URL('./src/lib', import.meta.url)),
      $admin: fileURLToPath(new URL('./src/admin', import.meta.url)),
      '@rummyd/engine': fileURLToPath(new URL('../wasm/src/index.ts', import.meta.url)),
      '@rummyd/client': fileURLToPath(new URL('../sdk/typescript/src/index.ts', import.meta.url)),
    },
  },
  server: { proxy: { '/v1': backend }, fs: { allow: ['..'] } },
  worker: { format: 'es' },
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false }, // a browser without modulepreload fetches the same files a little later
    sourcemap: counted,
    reportCompressedSize: true,
    rollupOptions: {
      input: ['index.html', 'admin/index.html'],
      /* The first script names every file of every page, so shorter hashes make it smaller. */
      output: {
        manualChunks: chunks(),
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:4][extname]',
      },
    },
  },
  test: {
    include: ['{src,scripts,lint}/**/*.test.{ts,js}'],
    environment: 'node',
    testTimeout: 300_000, // only reached if a test hangs
    hookTimeout: 300_000,
    pool: 'vmThreads', // isolates each file at half the cost of a process
    setupFiles: [...(counted ? ['src/test-coverage.ts'] : []), 'src/test-setup.ts'],
    alias: { '@rummyd/engine': fileURLToPath(new URL('../wasm/src/node.ts', import.meta.url)) },
  },
});
