/* For tests only: builds the page that tests/e2e/screens/engine.spec.mjs opens in a browser. */
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

const path = (name: string) => fileURLToPath(new URL(name, import.meta.url));

export default defineConfig({
  publicDir: false,
  build: {
    lib: { entry: path('test/browser.ts'), formats: ['es'], fileName: 'browser' },
    outDir: path('../build-wasm/browser'),
    emptyOutDir: true,
    target: 'es2022',
  },
});
