/* Visitors of the page, each in a separate browser. */
import { openPage } from './browser.mjs';

/** Starting at the sign-in page, as a guest. */
export async function enter(page, nick) {
  await page.getByLabel('Nickname (optional)').fill(nick);
  await page.getByRole('button', { name: 'Play now' }).click();
}

/** Password of every test account until it changes it. */
export const PASSWORD = 'seven sleeping camels';

export const inLobby = (page) => page.getByRole('heading', { name: 'Lobby' }).waitFor();

/** Starting at the sign-in page, with an account. */
export async function register(page, nick, email) {
  await page.getByText('New account').click();
  await page.getByLabel('Nickname').fill(nick);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(PASSWORD);
  await page.getByRole('button', { name: 'Create account' }).click();
}

/** A guest in the lobby. options: of their browser. */
export async function person(browser, url, nick, options) {
  const opened = await openPage(browser, { reducedMotion: 'reduce', ...options });
  await opened.page.goto(url);
  await enter(opened.page, nick);
  await inLobby(opened.page);
  return { ...opened, nick };
}
