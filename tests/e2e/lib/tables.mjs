/* Opening tables through the page. */

/** Takes a seat in a room of the current lobby. */
export const sitInRoom = (page, room = 'desert') =>
  page.locator(`[data-room="${room}"]`).getByRole('button', { name: 'Sit down' }).click();

/** Starts a game with its tile in the current lobby. */
export const playTile = (page, variant) => page.locator(`[data-game="${variant}"]`).tap();

/** The form for a new table, in the lobby. */
export async function openForm(page, url) {
  await page.goto(url);
  await page.getByRole('button', { name: 'Open a table' }).click();
  return page.getByRole('form', { name: 'Open a table' });
}

/** Opens a table and goes there. level: that of its bots; options: those of the variant, by name; shown:
 * called after the choices are made. */
export async function openOwnTable(
  page,
  url,
  variant,
  { players = 2, bots = 0, level, everybody = false, options = {}, shown } = {},
) {
  const form = await openForm(page, url);
  await form.locator(`[data-variant="${variant}"]`).click();
  const pick = (legend, label) =>
    form.getByRole('group', { name: legend }).getByText(label, { exact: true }).click();
  await pick('Players', String(players));
  await pick('Number of bots', String(bots));
  if (level) await form.getByText(level, { exact: true }).click();
  if (everybody) await pick('Who can join', 'everyone');
  for (const [name, value] of Object.entries({ turn_s: 120, ...options }))
    await form.locator(`[name="${name}"]`).fill(String(value));
  await shown?.();
  await form.getByRole('button', { name: 'Open the table' }).click();
  await page.waitForURL(/\/table\/\d+$/);
}
