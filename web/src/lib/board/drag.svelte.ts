/* Cards under the pointer. One drag at a time for the whole board; The `data-drop` attribute of an element
 * names its drop target: hand, discard, table, or meld:{id}. */
import type { Card } from '$lib/cards/cards';

export interface Dragged {
  /** Cards of the player's hand; empty for a card drawn from a pile. */
  cards: readonly Card[];
  from: 'hand' | 'stock' | 'discard';
  /** Card to show for a pile; null: face down. */
  face: Card | null;
}
export interface DropSpot {
  target: string;
  x: number;
  y: number;
}

const SLOP_PX = 7;

class Drag {
  what = $state.raw<Dragged | null>(null);
  x = $state(0);
  y = $state(0);
  target = $state('');
  /** Where the last drag ended; its cards fly on from there. */
  dropped: { cards: readonly Card[]; x: number; y: number; at: number } | null = null;

  /** Follows one pointer from pointerdown. Calls `onclick` if it never moved. */
  begin(
    event: PointerEvent,
    what: () => Dragged | null,
    ondrop: (spot: DropSpot, what: Dragged) => void,
    onclick?: () => void,
  ): void {
    if (event.button !== 0 || this.what) return;
    const start = { x: event.clientX, y: event.clientY };
    const id = event.pointerId;
    const move = (e: PointerEvent) => {
      if (e.pointerId !== id) return;
      if (!this.what && Math.hypot(e.clientX - start.x, e.clientY - start.y) > SLOP_PX) this.what = what();
      if (!this.what) return;
      e.preventDefault();
      this.x = e.clientX;
      this.y = e.clientY;
      this.target = targetAt(e.clientX, e.clientY);
    };
    const end = (e: PointerEvent) => {
      if (e.pointerId !== id) return;
      removeEventListener('pointermove', move);
      removeEventListener('pointerup', end);
      removeEventListener('pointercancel', end);
      const dragged = this.what;
      const target = this.target;
      this.what = null;
      this.target = '';
      if (!dragged) {
        if (e.type === 'pointerup') onclick?.();
      } else if (e.type === 'pointerup' && target) {
        this.dropped = { cards: dragged.cards, x: e.clientX, y: e.clientY, at: performance.now() };
        ondrop({ target, x: e.clientX, y: e.clientY }, dragged);
      }
    };
    addEventListener('pointermove', move, { passive: false });
    addEventListener('pointerup', end);
    addEventListener('pointercancel', end);
  }
}

function targetAt(x: number, y: number): string {
  const element = document.elementFromPoint(x, y)?.closest<HTMLElement>('[data-drop]');
  return element?.dataset['drop'] ?? '';
}

export const drag = new Drag();
