/* The page without a server: code shared by its tests. A worker opens a page once and reuses it for all
 * tests (board.mjs, site.mjs) in all files that it runs. */
import { test as base } from './test.mjs';
import { here } from './here.mjs';

export { here };
export const test = base.extend({
  /** Stores this worker's browser and page, so that nothing has to pass them on. */
  noted: [
    async ({ browser, origin, pageServer }, use) => {
      Object.assign(here, { browser, origin, pageServer });
      await use(here);
    },
    { scope: 'worker', auto: true },
  ],
});
