import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: { setupFiles: ['vitest.setup.ts'], testTimeout: 300_000, hookTimeout: 300_000 },
});
