/* Sampled deals that are consistent with what a player has seen: all unseen cards are dealt again. Pure.
 * docs/records.md describes the resulting positions. */
import type { Card, RecordHand, RecordStep, View } from '@rummyd/engine';

/** A random number generator for values below n. The same seed gives the same deal. */
function dice(seed: number): (n: number) => number {
  let state = (seed * 0x9e3779b9 + 0x7f4a7c15) >>> 0;
  return (n) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % n;
  };
}

function shuffled(cards: readonly Card[], seed: number): Card[] {
  const roll = dice(seed);
  const deck = [...cards];
  for (let last = deck.length - 1; last > 0; last--) {
    const at = roll(last + 1);
    [deck[last], deck[at]] = [deck[at] ?? '', deck[last] ?? ''];
  }
  return deck;
}

export class Imagined {
  /** For each seat: the number of completed turns, whether it has drawn, and the cards taken from the
   * discard pile that it still holds. */
  private readonly turns: number[];
  private readonly picked = new Set<number>();
  private readonly held: Set<Card>[];
  private mover = -1;

  constructor(
    private readonly hand: RecordHand,
    private readonly seat: number,
    private readonly pack: readonly Card[],
  ) {
    this.turns = hand.seats.map(() => 0);
    this.held = hand.seats.map(() => new Set());
  }

  /** Records the public part of a step. */
  saw({ seat, move, card }: RecordStep): void {
    this.mover = seat;
    const held = this.held[seat];
    if (move.t === 'draw') this.picked.add(seat);
    if (move.t === 'draw' && move.d.from === 'discard' && card) held?.add(card);
    else if (move.t === 'cancel_draw') held?.clear();
    else if (move.t === 'discard' || move.t === 'time_out')
      this.turns[this.mover] = (this.turns[seat] ?? 0) + 1;
    const { cards = [], card: laid } = (move.d ?? {}) as { cards?: Card[]; card?: Card };
    for (const one of [...cards, laid ?? '']) held?.delete(one);
  }

  /** A position at the beginning of the seat's turn. next: the first card of the stock; null: any. */
  deal(view: View, next: Card | null, run: number): string {
    const { hand, seat } = this;
    const mine = new Set([...view.hand, ...view.discard, ...view.melds.flatMap(({ cards }) => cards)]);
    for (const card of [view.wild?.card, next]) if (card) mine.add(card);
    for (const held of this.held) for (const card of held) mine.add(card);
    const deck = shuffled(
      this.pack.filter((card) => !mine.has(card)),
      run + 1,
    );
    const cardsOf = ({ seat: who, cards_n: n }: View['seats'][number]) => {
      if (who === seat) return view.hand;
      const known = [...(this.held[who] ?? [])].filter((card) => card !== next);
      return [...known, ...deck.splice(0, Math.max(0, n - known.length))];
    };
    const hands = view.seats.map(cardsOf);
    const declares = (hand.params['wild_scope'] ?? 0) > 0;
    const opened = view.seats.filter((one) => one.opened).map((one) => one.seat);
    const params = Object.entries(hand.params).map(([name, value]) => `${name}=${value}`);
    const lines = [
      `[Rummyd "1"]`,
      `[Variant "${hand.variant}"]`,
      `[Params "${params.join(' ')}"]`,
      `[Players "${hands.length}"]`,
      `[Setup "yes"]`,
      `[Starter "${view.starter ?? 0}"]`,
      `[Wild "${view.wild?.card ?? ''}"]`,
      ...hands.map((cards, who) => `[Cards${who} "${cards.join(' ')}"]`),
      `[Turns "${this.turns.join(' ')}"]`,
      `[ToMove "${seat}"]`,
      `[Phase "draw"]`,
      declares ? `[Picked "${[...this.picked].sort().join(' ')}"]` : `[Opened "${opened.join(' ')}"]`,
      ...view.melds.map(({ owner, cards }) => `[Meld "${owner} ${cards.join(' ')}"]`),
      `[Discard "${view.discard.join(' ')}"]`,
      `[Stock "${[...(next ? [next] : []), ...deck].join(' ')}"]`,
    ];
    return `${lines.filter((line) => !line.endsWith(' ""]')).join('\n')}\n\n`;
  }
}
