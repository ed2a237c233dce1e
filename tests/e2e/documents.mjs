/* Screenshots for the documents that do not require playing a game first (`npm run screenshots`): some of the
 * gallery's views, in English, at laptop or phone width, into RUMMY_PICTURES. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { PHONE } from './lib/board.mjs';
import { fontsCome, JPEG_QUALITY, launch, SIZES } from './lib/browser.mjs';
import { Site } from './lib/site.mjs';
import { serveStatic } from './lib/static.mjs';
import { quiet, views } from './lib/views.mjs';

const LAPTOP = { viewport: SIZES.laptop };
/** File → view and window. */
const PICTURES = {
  guide: ['alone-learn', PHONE],
  rules: ['alone-rules-pool101', LAPTOP],
  practice: ['practice-game', LAPTOP],
  replay: ['replay-analysis', LAPTOP],
};

const folder = process.env.RUMMY_PICTURES;
if (!folder) throw new Error('RUMMY_PICTURES names no folder');
const server = await serveStatic(fileURLToPath(new URL('../../web/dist', import.meta.url)), 0);
const browser = await launch();
try {
  const all = views();
  for (const [file, [name, options]] of Object.entries(PICTURES)) {
    const { path, answers, make } = all[name];
    const site = await new Site().open(browser, `http://127.0.0.1:${server.address().port}`, options);
    site.begin(answers);
    await site.goto(path);
    await quiet(site.page);
    await make?.(site.page);
    await fontsCome(site.page);
    await site.page.screenshot({
      path: join(folder, `${file}.jpg`),
      quality: JPEG_QUALITY,
      animations: 'disabled',
    });
    site.clean();
    await site.context.close();
  }
} finally {
  await browser.close();
  server.close();
}
