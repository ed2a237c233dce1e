/* Deadwood of a hand: the points of its ungrouped cards in the best grouping. Pure. The engine's solver
 * groups the cards. docs/analysis.md defines the figures derived from it. */
import type { Card, Engine, RecordHand } from '@rummyd/engine';

export class DeadwoodCounter {
  readonly declares: boolean;
  private readonly known = new Map<string, number>();

  constructor(
    private readonly engine: Engine,
    private readonly hand: RecordHand,
    private readonly wildCard: Card | null,
  ) {
    this.declares = (hand.params['wild_scope'] ?? 0) > 0;
  }

  /** All cards of the pack. */
  get pack(): Card[] {
    const { packs = 2, jokers = 0 } = this.hand.params;
    return packOf(packs, jokers);
  }

  private points(cards: readonly Card[]): number {
    return cards.reduce((sum, card) => sum + this.pointsOfOne(card), 0);
  }

  /** A single card is never in a group. */
  private pointsOfOne(card: Card): number {
    const { variant, params } = this.hand;
    return this.kept(
      'alone',
      [card],
      () => this.engine.arrange({ variant, params }, [card], this.wildCard).points,
    );
  }

  private rest(cards: readonly Card[]): Card[] {
    if (cards.length === 0) return [];
    const { variant, params } = this.hand;
    return this.engine.arrange({ variant, params }, cards, this.wildCard).rest;
  }

  /** Deadwood of a hand between turns. */
  dead(cards: readonly Card[]): number {
    return this.kept('dead', cards, () => this.points(this.rest(cards)));
  }

  /** Deadwood of a hand with one card too many, after discarding the heaviest ungrouped card. In games
   * with a declaration, the engine itself chooses the finishing card. */
  deadAfterThrow(cards: readonly Card[]): number {
    return this.kept('after', cards, () => {
      const rest = this.rest(cards);
      const heaviest = this.declares ? 0 : Math.max(0, ...rest.map((card) => this.points([card])));
      return this.points(rest) - heaviest;
    });
  }

  /** Cards of the same kind weigh the same, so results are cached by kind. */
  private kept(what: string, cards: readonly Card[], weigh: () => number): number {
    const key = `${what} ${cards.map(kindOf).sort().join('')}`;
    const before = this.known.get(key);
    if (before !== undefined) return before;
    const weight = weigh();
    this.known.set(key, weight);
    return weight;
  }
}

/** A card without its pack number; all printed jokers are one kind. */
export function kindOf(card: Card): string {
  return card.startsWith('X') ? 'X' : card.slice(0, 2);
}

export function packOf(packs: number, jokers: number): Card[] {
  const kinds = [...'CSHD'].flatMap((suit) => [...'A23456789TJQK'].map((rank) => rank + suit));
  const plain = Array.from({ length: packs }, (_, i) => kinds.map((kind) => `${kind}${i + 1}`));
  return [...plain.flat(), ...Array.from({ length: jokers }, (_, i) => `X${i + 1}`)];
}
