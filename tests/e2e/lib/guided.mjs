/* Plays a guided hand or a lesson by the marks on the table: cards first, then their destination. */

/** The rest of a card is covered by its neighbor. */
export const AT_ITS_EDGE = { position: { x: 8, y: 24 } };

/** In the page: the marked elements; null if the step waits for the bot, or the last one is done. */
export function marked() {
  const step = document.querySelector('.guide')?.dataset.step;
  const of = (kind) => [...document.querySelectorAll(`[data-guided=${kind}]`)];
  const cards = of('card').map((el) => el.dataset.card);
  const [place] = of('place');
  /* A mark remains for a moment on a card that has left the hand. */
  if (!step || cards.includes(undefined) || (cards.length === 0 && !place)) return null;
  const { anchor, meld, dropPrice } = place?.dataset ?? {};
  return { step, cards, at: anchor ?? (meld && `meld ${meld}`) ?? (dropPrice ? 'drop' : 'buttons') };
}

const buttonOf = (page, name) => page.locator('.buttons').getByRole('button', { name });

/** For a declaration or a grouping, the cards are arranged first. */
async function arrange(page, press, texts, cards) {
  await press(buttonOf(page, texts['board.arrange']));
  for (const card of cards) await press(page.locator(`.hand [data-card="${card}"]`), AT_ITS_EDGE);
  await press(buttonOf(page, texts[cards.length > 0 ? 'moves.declare' : 'done']));
}

/** Performs the marked step. texts: in the page's language. */
export async function takeStep(page, press, texts) {
  const found = await page.waitForFunction(marked);
  const { step, cards, at } = await found.jsonValue();
  if (['declare', 'group'].includes(step)) {
    await arrange(page, press, texts, cards);
    return;
  }
  for (const card of cards) await press(page.locator(`.hand [data-card="${card}"]`), AT_ITS_EDGE);
  const { at: place } = cards.length > 0 ? await (await page.waitForFunction(marked)).jsonValue() : { at };
  if (place === 'drop') {
    await press(page.locator('[data-drop-price]'));
    const price = await page.locator('[data-drop-price]').getAttribute('data-drop-price');
    await press(page.getByRole('button', { name: texts['drop.for'].replace('{n}', price) }));
  } else if (place === 'buttons') await press(buttonOf(page, texts['moves.lay']));
  else if (place.startsWith('meld')) await press(page.locator(`[data-meld="${place.slice(5)}"]`));
  else await press(page.locator(`[data-anchor="${place}"]`));
}
