/* People who come to the page, each in a browser of their own. */
import { openPage } from './browser.mjs';

/** From the entrance on, as a guest. */
export async function enter(page, nick) {
  await page.getByLabel('Nickname (optional)').fill(nick);
  await page.getByRole('button', { name: 'Play now' }).click();
}

/** A guest in the lobby. options: of their browser. */
export async function person(browser, url, nick, options) {
  const opened = await openPage(browser, { reducedMotion: 'reduce', ...options });
  await opened.page.goto(url);
  await enter(opened.page, nick);
  await opened.page.getByRole('heading', { name: 'Lobby' }).waitFor();
  return { ...opened, nick };
}
