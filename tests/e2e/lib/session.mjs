/* Plays whole sessions of any game through the page, based on the visible state, hand after hand until the
 * last result. Plays meld games turn by turn like Player, and Indian ones with the arrange button or by the
 * plan of the test (a drop, an invalid declaration). */
import { check, until } from './harness.mjs';
import { Player, POLL_MS } from './player.mjs';
import { pause } from './ways.mjs';

const HANDS_MAX = 30;
const TURNS_MAX = 400; // turns of a session; straight rummy to 150 points with three players takes more than 150
const FULL = 13;
/** Three others may play before the player's turn, each of them on a starved machine. */
const OTHERS_MS = 300_000;

/** In the page: the next action, or null if there is none yet. */
function readMoment() {
  const button = (name) =>
    [...document.querySelectorAll('button')].find(
      (b) => b.textContent.trim().startsWith(name) && !b.disabled,
    );
  const open = document.querySelector('[data-connection="open"]') !== null;
  const hand = document.querySelectorAll('.hand [data-card]').length;
  if (button('Play again')) return { what: 'over' };
  if (button('Ready')) return { what: 'between' };
  if (document.querySelector('[role="dialog"]') || !open) return null;
  const done = [...document.querySelectorAll('.buttons .btn')].find((b) => b.textContent.trim() === 'Done');
  if (done) return done.disabled ? null : { what: 'group' };
  if (document.querySelector('.actions.mine'))
    return { what: 'turn', hand, indian: !!document.querySelector('.finish') };
  return null;
}

export class SessionPlayer extends Player {
  hands = 0;
  grouped = 0;
  /** Hands in which the player has acted. */
  played = new Set();
  /** plan: hand number → 'drop' or 'wrong'; anything else is played. shown: called at each moment worth a
   * screenshot. */
  constructor(page, plan = {}, shown = undefined, way = undefined) {
    super(page, shown, way);
    this.plan = plan;
  }

  /** The current action. */
  moment() {
    return this.page.evaluate(readMoment);
  }

  /** Waits for the next action inside the page. */
  async next() {
    const found = await this.page
      .waitForFunction(readMoment, null, { polling: POLL_MS, timeout: OTHERS_MS })
      .catch((error) => Promise.reject(new Error(`nothing to do came up: ${error.message}`)));
    return found.jsonValue();
  }

  async play(onhand) {
    for (;;) {
      const now = await this.next();
      if (now.what === 'over') return;
      if (now.what === 'between') {
        this.hands++;
        check(this.hands < HANDS_MAX, `no end after ${HANDS_MAX} hands`);
        await onhand?.(this);
        await this.act(this.page.getByRole('button', { name: 'Ready' }));
        await this.page.getByRole('dialog').waitFor({ state: 'detached' });
        continue;
      }
      this.played.add(this.hands + 1);
      if (now.what === 'group') {
        await this.arrange();
        await this.shown?.('grouping');
        await this.act(this.page.getByRole('button', { name: 'Done' }));
        this.grouped++;
        await until(async () => (await this.moment())?.what !== 'group', 'the grouping was not saved');
      } else {
        check(this.turns < TURNS_MAX, `no end after ${TURNS_MAX} turns`);
        if (now.indian) await this.indianTurn();
        else await this.turn();
      }
    }
  }

  async arrange() {
    const button = this.page.getByRole('button', { name: 'Arrange' });
    await this.act(button, 'h');
    await until(
      async () => !(await button.isVisible()) || (await button.isEnabled()),
      'the hand was not arranged',
    );
  }

  async indianTurn() {
    this.turns++;
    const plan = this.plan[this.hands + 1];
    if (plan === 'drop' && (await this.drop())) return;
    await this.draw();
    if (plan === 'wrong') return this.declareWrongly();
    await this.arrange();
    await this.shown?.('arranged');
    const ready = this.page.locator('.buttons .primary', { hasText: 'Declare' });
    if (await ready.isVisible()) {
      await this.shown?.('valid');
      await pause(this.page);
      await this.act(ready, 'e');
      await until(async () => (await this.moment())?.what !== 'turn', 'the declaration was not taken');
      return;
    }
    await this.discardLoose();
  }

  /** Waits until the dialog has closed and the turn has ended. In between the dialog reappears until the
   * reply arrives. */
  turnEnds(what) {
    return until(async () => {
      const now = await this.moment();
      return now ? now.what !== 'turn' : !(await this.page.getByRole('dialog').isVisible());
    }, what);
  }

  async drop() {
    const button = this.page.locator('[data-drop-price]');
    if (!(await button.isVisible())) return false;
    await this.act(button, 'q');
    const sure = this.page.getByRole('dialog').getByRole('button', { name: /^Drop for/ });
    await sure.waitFor();
    await this.shown?.('drop');
    await this.act(sure);
    await this.turnEnds('the drop was not taken');
    return true;
  }

  /** Thirteen cards in order in four groups, despite the warning. */
  async declareWrongly() {
    const { hand } = await this.board();
    for (const [from, to] of [
      [0, 3],
      [3, 6],
      [6, 9],
      [9, FULL],
    ])
      await this.way.group(this.page, hand.slice(from, to));
    await pause(this.page);
    await this.act(this.page.locator('.buttons').getByRole('button', { name: 'Declare' }), 'e');
    const sure = this.page.getByRole('dialog').getByRole('button', { name: 'Declare anyway' });
    await sure.waitFor();
    await this.shown?.('wrong');
    await this.act(sure);
    await this.turnEnds('the declaration was not taken');
  }

  /** Discards the ungrouped card with the most points, or the last card if all are grouped. */
  async discardLoose() {
    const card = await this.page.evaluate(() => {
      const cards = [...document.querySelectorAll('.hand [data-card]')];
      const boxes = [...document.querySelectorAll('.hand .bracket')].map((b) => b.getBoundingClientRect());
      const loose = cards.filter((el) => {
        const r = el.getBoundingClientRect();
        return !boxes.some((b) => r.x >= b.x - 2 && r.right <= b.right + 2 && Math.abs(r.y - b.y) < 45);
      });
      const worth = (el) => 'A23456789TJQK'.indexOf(el.dataset.card[0]) % 13;
      const plain = loose.filter(
        (el) => !/joker|wild/.test(el.querySelector('svg')?.getAttribute('aria-label') ?? ''),
      );
      const best = (plain.length > 0 ? plain : loose.length > 0 ? loose : cards.slice(-1)).sort(
        (a, b) => worth(b) - worth(a),
      )[0];
      return best?.dataset.card;
    });
    await this.way.discard(this.page, card);
    const passed = async () => {
      const { hand, prompt } = await this.board();
      return !hand.includes(card) && !/Discard/.test(prompt);
    };
    const note = () =>
      this.page
        .locator('.bubble')
        .innerText({ timeout: 500 })
        .catch(() => 'nothing said');
    await until(passed, `not thrown: ${card}`).catch(async (error) => {
      throw new Error(`${error.message} (${await note()}; ${(await this.board()).prompt})`);
    });
  }
}
