/* All pages and all moments of a table, each shown once in a language and on a kind of device, checked by
 * every inspector (lib/walk.mjs, lib/inspect.mjs). RUMMY_LONG=1 adds windows and languages. E2E_SHOTS=DIR
 * saves a screenshot of each. */
import { join } from 'node:path';
import { groups, walkerOf } from '../lib/walk.mjs';
import { expect, test } from '../lib/test.mjs';

test.describe.configure({ mode: 'parallel' }); // the groups, each of which uses one page for all of its views

const DEVICES = { touch: 'by touch', mouse: 'on a laptop' };
const VIEWERS = { player: 'pages of a player', stranger: 'pages of a stranger', table: 'a table' };

for (const group of groups())
  test.describe(`${VIEWERS[group.viewer]} in ${group.language} ${DEVICES[group.device]}`, () => {
    test.describe.configure({ mode: 'default' });
    let walker = null;

    test.beforeAll(async ({ browser, origin }) => {
      walker = await walkerOf(group, browser, origin);
    });

    for (const [name, sizes] of Object.entries(group.views))
      test(`${name} on ${Object.keys(sizes).join(', ')}`, async () => {
        const found = await walker.visit(name);
        if (process.env.E2E_SHOTS)
          await walker.page.screenshot({
            path: join(process.env.E2E_SHOTS, `${group.language}-${group.device}-${name}.png`),
          });
        expect(found, 'findings').toEqual([]);
      });
  });
