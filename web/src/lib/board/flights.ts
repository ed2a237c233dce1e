/* Card animation. Before a batch of events, every card on the board is measured. Afterward, for each card
 * that moved, a copy flies to its new place in a layer above everything else. */
import { pace } from '$lib/prefs.svelte';
import type { TableEvent } from '@rummyd/client';
import { drag } from './drag.svelte';

type Rects = Map<string, DOMRect>;

const FLIGHT_MS = 360;
const DEAL_STEP_MS = 45;
const LAY_STEP_MS = 40;
/** Cards that were dropped within this time start from the place of the drop. */
const DROP_FRESH_MS = 2500;
/** How long arrived cards wait for the next. */
const LAND_TOGETHER_MS = 120;
const SEAT_SCALE = 0.6;
const EASE = 'cubic-bezier(.25,.8,.3,1)';

interface Flight {
  look: HTMLElement;
  from: DOMRect;
  to: DOMRect;
  /** The real card, hidden until its copy has arrived. */
  real: HTMLElement | null;
  delay: number;
  /** Starts face down and turns over in flight. */
  turns: boolean;
}

/** A card-shaped place in front of a player, for cards that fly to or from a seat. */
function cardAt(seat: DOMRect, like: DOMRect): DOMRect {
  const width = like.width * SEAT_SCALE;
  const height = like.height * SEAT_SCALE;
  return new DOMRect(seat.x + (seat.width - width) / 2, seat.y + (seat.height - height) / 2, width, height);
}

export class Flights {
  private cards: Rects = new Map();
  /** Copies of the cards as drawn before the batch, for cards that disappear. */
  private looks = new Map<string, HTMLElement>();
  private anchors: Rects = new Map();
  /** Multiplier for the usual flight time; 0: no flights. */
  private pace = 1;
  private readonly landings: (() => void)[] = [];

  constructor(
    private readonly root: HTMLElement,
    private readonly layer: HTMLElement,
  ) {}

  before = (): void => {
    this.pace = document.hidden ? 0 : pace();
    if (this.pace === 0) return;
    this.cards = new Map();
    this.anchors = new Map();
    this.looks = new Map();
    for (const el of this.root.querySelectorAll<HTMLElement>('[data-card]')) {
      this.cards.set(el.dataset['card'] ?? '', el.getBoundingClientRect());
      this.looks.set(el.dataset['card'] ?? '', el);
    }
    for (const el of this.root.querySelectorAll<HTMLElement>('[data-anchor]'))
      this.anchors.set(el.dataset['anchor'] ?? '', el.getBoundingClientRect());
    this.fromDrop();
  };

  after = (events: TableEvent[]): void => {
    if (this.pace === 0) return;
    for (const flight of events.flatMap((e) => this.flightsOf(e))) this.fly(flight);
  };

  private fromDrop(): void {
    const dropped = drag.dropped;
    if (!dropped || performance.now() - dropped.at > DROP_FRESH_MS) return;
    drag.dropped = null;
    for (const card of dropped.cards) {
      const rect = this.cards.get(card);
      if (!rect) continue;
      const { width, height } = rect;
      this.cards.set(card, new DOMRect(dropped.x - width / 2, dropped.y - height / 2, width, height));
    }
  }

  private anchor(name: string): DOMRect | undefined {
    return (
      this.anchors.get(name) ?? this.root.querySelector(`[data-anchor="${name}"]`)?.getBoundingClientRect()
    );
  }

  private shown(card: string): HTMLElement | null {
    return this.root.querySelector<HTMLElement>(`[data-card="${card}"]`);
  }

  private flightsOf(event: TableEvent): Flight[] {
    const seat = `seat-${event.seat ?? ''}`;
    const coming = (c: string, i = 0) =>
      this.toCard(c, this.cards.get(c) ?? this.anchor(seat), i * LAY_STEP_MS);
    switch (event.t) {
      case 'dealt':
        return (event.d.cards ?? []).flatMap((c, i) =>
          this.toCard(c, this.anchor('stock'), i * DEAL_STEP_MS, true),
        );
      case 'drew':
        return this.drew(event.d.from, seat, event.d.card);
      case 'melded':
      case 'discarded':
        return event.d.cards.flatMap(coming);
      case 'laid_off':
      case 'draw_cancelled':
        return coming(event.d.card);
      case 'swapped':
      case 'swap_undone':
        return [event.d.card, event.d.joker].flatMap((c) => coming(c));
      case 'taken_back':
        return event.d.cards.flatMap((c) => this.toCard(c, this.cards.get(c)));
      default:
        return [];
    }
  }

  private drew(pile: 'stock' | 'discard', seat: string, card: string | undefined): Flight[] {
    if (!card || !this.shown(card)) return this.toSeat(pile, seat, card);
    return this.toCard(card, this.cards.get(card) ?? this.anchor(pile), 0, pile === 'stock');
  }

  private toCard(card: string, from: DOMRect | undefined, delay = 0, turns = false): Flight[] {
    const real = this.shown(card);
    if (!real || !from) return [];
    const to = real.getBoundingClientRect();
    if (Math.hypot(to.x - from.x, to.y - from.y) < 6) return [];
    const start = from.width > from.height ? cardAt(from, to) : from;
    return [{ look: real, from: start, to, real, delay, turns }];
  }

  /** For a hidden hand, the top of the pile flies to the player. */
  private toSeat(pile: string, seat: string, card: string | undefined): Flight[] {
    const from = (card && this.cards.get(card)) || this.anchor(pile);
    const to = this.anchor(seat);
    const look = (card && this.looks.get(card)) || this.back();
    if (!from || !to || !look) return [];
    return [{ look, from, to: cardAt(to, from), real: null, delay: 0, turns: false }];
  }

  private back(): HTMLElement | null {
    return this.root.querySelector<HTMLElement>('[data-anchor="stock"] [data-look]');
  }

  /** Lays a back over the copy of a card and removes it half-way. */
  private cover(copy: HTMLElement, delay: number): void {
    const back = this.back()?.cloneNode(true) as HTMLElement | undefined;
    if (!back) return;
    back.style.cssText = 'position:absolute;inset:0;translate:none';
    copy.append(back);
    const timing = { duration: FLIGHT_MS * this.pace, delay, fill: 'both' as const };
    back.animate(
      [{ opacity: 1 }, { opacity: 1, offset: 0.35 }, { opacity: 0, offset: 0.6 }, { opacity: 0 }],
      timing,
    );
  }

  private fly({ look, from, to, real, delay: usual, turns }: Flight): void {
    const delay = usual * this.pace;
    const copy = look.cloneNode(true) as HTMLElement;
    for (const name of ['data-card', 'data-anchor', 'data-drop', 'id']) copy.removeAttribute(name);
    copy.setAttribute('aria-hidden', 'true');
    copy.tabIndex = -1;
    const { style } = copy;
    style.cssText = `position:fixed;margin:0;left:${to.x}px;top:${to.y}px;width:${to.width}px;height:${to.height}px;transform-origin:0 0;z-index:1;pointer-events:none;transition:none`;
    this.layer.append(copy);
    if (turns) this.cover(copy, delay);
    if (real) real.style.opacity = '0';
    const dx = from.x - to.x;
    const dy = from.y - to.y;
    const sx = from.width / Math.max(1, to.width);
    const sy = from.height / Math.max(1, to.height);
    const animation = copy.animate(
      [{ transform: `translate(${dx}px, ${dy}px) scale(${sx}, ${sy})` }, { transform: 'none' }],
      { duration: FLIGHT_MS * this.pace, delay, easing: EASE, fill: 'both' },
    );
    const land = () => {
      copy.remove();
      if (real) real.style.opacity = '';
    };
    animation.onfinish = () => this.arrived(land);
    animation.oncancel = land;
  }

  /** A copy that has arrived looks like the card below it, so it can wait until one frame removes all
   * copies. */
  private arrived(land: () => void): void {
    this.landings.push(land);
    if (this.landings.length > 1) return;
    setTimeout(() => {
      for (const each of this.landings.splice(0)) each();
    }, LAND_TOGETHER_MS);
  }
}
