/* Plays Rummy 51 through the page as a human would: based on what is visible, with the hint button, by one
 * of the input methods (ways.mjs). */
import { check, HANG_MS, until } from './harness.mjs';
import { textsOf } from './texts.mjs';
import { MOUSE } from './ways.mjs';

const HINTS_MAX = 12;
export const POLL_MS = 50;

/** In the page: the state of the table once `when` holds for it, until then null. */
function readBoard([when, given]) {
  const cards = (selector) => [...document.querySelectorAll(selector)].map((el) => el.dataset.card);
  const board = {
    over:
      document.querySelector('ol.scores') !== null ||
      [...document.querySelectorAll('.table-bar .btn')].some((b) => b.textContent === 'Result'),
    mine: document.querySelector('.actions.mine') !== null,
    prompt: document.querySelector('.prompt')?.textContent ?? '',
    drawing: document.querySelector('.stock.ready') !== null,
    refused: document.querySelector('.note.refused')?.checkVisibility() ?? false,
    hand: cards('.hand [data-card]'),
    melds: document.querySelectorAll('[data-meld]').length,
    own: document.querySelectorAll('.bottom [data-meld]').length,
    open: document.querySelector('[data-connection="open"]') !== null,
  };
  const holds = {
    now: true,
    turn: board.over || (board.mine && board.open && board.prompt !== ''),
    drawn: board.over || board.hand.length === given,
    laid: board.over || board.refused || board.hand.join() !== given,
    thrown: board.over || board.refused || !board.hand.includes(given),
  };
  return holds[when] ? board : null;
}

export class Player {
  turns = 0;
  laid = 0;
  flips = 0;

  constructor(page, shown, way = MOUSE, texts = textsOf('en')) {
    this.page = page;
    this.texts = texts;
    this.shown = shown;
    this.way = way;
  }

  act(what, key) {
    return this.way.act(this.page, what, key);
  }

  board() {
    return this.page.evaluate(readBoard, ['now']);
  }

  /** Waits for a board state (readBoard) inside the page. Polling it from here would cost more than the
   * game. */
  async when(what, given, otherwise) {
    const found = await this.page
      .waitForFunction(readBoard, [what, given], { polling: POLL_MS, timeout: HANG_MS })
      .catch((error) => Promise.reject(new Error(`${otherwise}: ${error.message}`)));
    return found.jsonValue();
  }

  /** Waits for the player's turn; false if the hand is over. */
  async waitTurn() {
    const now = await this.when('turn', null, 'no turn came');
    return !now.over;
  }

  async draw() {
    const flip = this.page.getByRole('button', { name: this.texts['moves.flip'] });
    if (await flip.isVisible()) {
      await this.shown?.('flip');
      await this.act(flip, 'v');
      await until(async () => !(await flip.isVisible()), 'the pile was not turned over');
      this.flips++;
    }
    const { drawing, hand } = await this.board();
    if (!drawing) return;
    await this.shown?.('draw');
    await this.act(this.page.locator('.stock'), 'd');
    await this.when('drawn', hand.length + 1, 'no card was drawn');
  }

  /** Follows hints as long as there are any. */
  async layAll() {
    for (let i = 0; i < HINTS_MAX; i++) {
      const before = await this.board();
      if (!before.mine || before.over) return;
      await this.act(this.page.getByRole('button', { name: this.texts['board.hint'] }), 'h');
      const list = this.page.getByRole('group', { name: this.texts['board.hints'] });
      const close = list.getByRole('button', { name: this.texts['close'] });
      await close.waitFor(); // the list appears first, then its content loads
      await this.shown?.('hints');
      const first = list.locator('.option').first();
      if ((await first.count()) === 0) {
        await this.act(close);
        return;
      }
      await this.act(first);
      const { refused } = await this.when('laid', before.hand.join(), 'a hint was neither taken nor refused');
      if (refused) return;
      this.laid++;
      await this.shown?.((await this.page.locator('[role="meter"]').isVisible()) ? 'staged' : 'laid');
    }
  }

  /** Takes back melds that do not reach the opening. */
  async tidy() {
    const back = this.page.getByRole('button', { name: this.texts['moves.take_back'] });
    if (await back.isVisible()) await this.act(back, 'b');
  }

  /** Discards the card that is farthest from any meld; if that is refused, the next one. */
  async discard() {
    const { hand } = await this.board();
    for (const card of [...hand].sort((a, b) => keep(a, hand) - keep(b, hand))) {
      await this.way.discard(this.page, card);
      const { over, hand: left } = await this.when('thrown', card, `neither thrown nor refused: ${card}`);
      if (over || !left.includes(card)) return;
    }
    const note = await this.page.locator('.note').allTextContents();
    const { prompt } = await this.board();
    check(false, `no card of ${hand.join(' ')} could be thrown: ${note.join(' ')} (${prompt})`);
  }

  /** Puts three cards of one run or set side by side as a group, if the hand has any. */
  async group() {
    const { hand } = await this.board();
    const three = findThree(hand);
    if (three) await this.way.group(this.page, three);
  }

  async turn() {
    this.turns++;
    await this.draw();
    await this.layAll();
    const board = await this.board();
    if (board.over || !board.mine) return;
    await this.tidy();
    await this.discard();
  }
}

const RANKS = 'A23456789TJQK';
const rank = (card) => RANKS.indexOf(card[0]);

/** How useful a card is with the others: keep cards with high values, and jokers most of all; among useless
 * cards, discard high ones first. */
function keep(card, hand) {
  if (card.startsWith('X')) return 1000;
  const worth = rank(card) === 0 || rank(card) > 8 ? 10 : rank(card) + 1;
  const friends = hand.filter((other) => {
    if (other === card || other.startsWith('X') || other.slice(0, 2) === card.slice(0, 2)) return false;
    return rank(other) === rank(card) || (other[1] === card[1] && Math.abs(rank(other) - rank(card)) <= 2);
  });
  return friends.length * 20 - worth;
}

function findThree(hand) {
  const find = (name) => hand.find((card) => card.startsWith(name));
  for (const suit of 'CSHD')
    for (let low = 0; low + 2 < RANKS.length; low++) {
      const run = [0, 1, 2].map((i) => find(RANKS[low + i] + suit));
      if (run.every(Boolean)) return run;
    }
  for (const r of RANKS) {
    const set = [...'CSHD'].map((suit) => find(r + suit)).filter(Boolean);
    if (set.length >= 3) return set;
  }
  return null;
}
