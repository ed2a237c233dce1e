/* Tables that are opened through the page. */

/** The form of a table of one's own, in the lobby. */
export async function openForm(page, url) {
  await page.goto(url);
  await page.getByRole('button', { name: 'Open a table' }).click();
  return page.getByRole('form', { name: 'Open a table' });
}
