/* A player is out of a pool game while bots play on, on a real server: they start another game, leave, or
 * skip to the result. An invalid declaration costs 80 points, so two are enough. It takes 90 s, most of it
 * pauses between hands, so only the long form plays it (scripts/test games); screens/hands covers the
 * buttons. E2E_SHOTS is the folder for screenshots. */
import { join } from 'node:path';
import { violations } from '../lib/axe.mjs';
import { enter, inLobby } from '../lib/people.mjs';
import { openPage } from '../lib/browser.mjs';
import { LONG } from '../lib/harness.mjs';
import { SessionPlayer } from '../lib/session.mjs';
import { openOwnTable } from '../lib/tables.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

const SIZES = [
  { width: 844, height: 390 },
  { width: 1366, height: 650 },
  { width: 360, height: 740 },
];
const FINGER = 44;

async function shown(page) {
  expect(await violations(page), 'what axe finds').toEqual([]);
  for (const size of SIZES) {
    await page.setViewportSize(size);
    await page.locator('.actions [data-out]').waitFor();
    const heights = await page
      .locator('.actions [data-out] .btn')
      .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().height));
    expect(heights.length).toBe(3);
    expect(Math.min(...heights), `at ${size.width}`).toBeGreaterThanOrEqual(FINGER);
    if (process.env.E2E_SHOTS)
      await page.screenshot({ path: join(process.env.E2E_SHOTS, `out-${size.width}.png`) });
  }
}

test.use({ serverFlags: { hand_pause_ms: 4000 } });
test.skip(!LONG, 'only in the long form');

test('a player who is out of a pool can leave or skip to the result', async ({ browser, platform }) => {
  const opened = await openPage(browser, { viewport: { width: 1366, height: 650 }, reducedMotion: 'reduce' });
  const { page } = opened;
  await page.goto(platform.url);
  await enter(page, 'Otto');
  await inLobby(page);
  await openOwnTable(page, platform.url, 'pool101', { players: 3, bots: 2 });
  const table = page.url();
  const player = new SessionPlayer(page, { 1: 'wrong', 2: 'wrong', 3: 'wrong', 4: 'wrong' });
  await Promise.race([player.play(), page.locator('[data-out]').first().waitFor({ timeout: 300_000 })]);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Skip to the result' }).waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await shown(page);

  /* Away without leaving: the seat is kept, and the table is still there. */
  await page.locator('.actions').getByRole('button', { name: 'Leave' }).click();
  await inLobby(page);
  await page.goto(table);
  await page.locator('.actions [data-out]').or(page.getByRole('alertdialog')).first().waitFor();
  const skip = page.locator('.actions').getByRole('button', { name: 'Skip to the result' });
  if (await skip.isVisible()) {
    await skip.click();
    await page.getByRole('heading', { name: 'The bots are finishing the game' }).waitFor();
  } else await page.getByRole('button', { name: 'See the result' }).click(); // the bots had already finished
  await page.waitForURL(/\/games\/\d+$/);
  await page.getByText('Otto').first().waitFor();
  await closeClean(opened);
});
