/* The page without a server: what its tests share. A worker opens a page once and uses it for one test after the other (board.mjs,
 * site.mjs), in all files that it runs. */
import { test as base } from './test.mjs';
import { here } from './here.mjs';

export { here };
export const test = base.extend({
  /** Notes where this worker's browser and page are, so that nothing has to pass them on. */
  noted: [
    async ({ browser, origin, pageServer }, use) => {
      Object.assign(here, { browser, origin, pageServer });
      await use(here);
    },
    { scope: 'worker', auto: true },
  ],
});
