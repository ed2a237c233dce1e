/* A puzzle on a real server: a visitor sees the daily puzzle, enters as a guest, answers it, and finds it
 * among their tries. */
import { openPage } from '../lib/browser.mjs';
import { DISCARD } from '../lib/puzzles.mjs';
import { closeClean, expect, test } from '../lib/test.mjs';

const PHONE = { viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true };

/** Makes this today's puzzle, in which the 5 of diamonds is right. */
function publish(platform) {
  const choices = DISCARD.options.map((choice) => ({
    choice,
    worth: choice === '5D' ? 0.62 : 0.5,
    error: choice === '5D' ? 0 : 0.01,
  }));
  choices.sort((a, b) => b.worth - a.worth);
  platform.sql(`DO $do$
    DECLARE v_id bigint;
    BEGIN
      INSERT INTO puzzles (variant, players_n, seat, theme, tags, position, options, choices, answer, origin, reserved, deals_n)
      VALUES ('rummy51', 2, 0, 'discard', '{}', $pos$${DISCARD.position}$pos$, '{${DISCARD.options.join()}}',
              '${JSON.stringify(choices)}', '5D', 'starter', true, 100)
      RETURNING id INTO v_id;
      INSERT INTO puzzle_days VALUES ((now() AT TIME ZONE 'UTC')::date, v_id)
      ON CONFLICT (day) DO UPDATE SET puzzle_id = EXCLUDED.puzzle_id;
    END $do$`);
}

test('a stranger enters to answer the puzzle of the day, which counts once', async ({
  browser,
  platform,
}) => {
  publish(platform);
  const opened = await openPage(browser, { ...PHONE, reducedMotion: 'reduce' });
  const { page } = opened;
  await page.goto(`${platform.url}/puzzles`);
  await page.getByRole('link', { name: 'Solve it' }).tap();
  const answer = async () => {
    await page.locator('.hand [data-card="5D1"]').tap({ position: { x: 8, y: 24 } });
    await page.getByRole('button', { name: 'Discard 5♦' }).tap();
  };
  await answer();
  await page.locator('.entrance .btn.primary').tap();
  await answer();
  await page.locator('.verdict h2.right').waitFor();
  await expect(page.locator('.verdict')).toContainText('The 5♦ is worth 62%');
  await expect(page.locator('.verdict')).toContainText('1 day in a row');
  await page.reload();
  await page.locator('.verdict h2.right').waitFor();
  await page.getByRole('link', { name: 'Puzzles' }).tap();
  await page.getByText('1 of 1').first().waitFor();
  await page.getByText('Solved').first().waitFor();
  opened.errors.length = 0; // the browser counts the 401 without a session
  await closeClean(opened);
});
