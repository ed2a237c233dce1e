/* Marks what a step points at: first the cards to take, then their destination. The table may redraw its
 * parts at any time, after which the marks are set again. */
import { compareCards, type Step, type Target } from './script';

const PLACES: Record<Target, string> = {
  stock: '[data-anchor="stock"]',
  discard: '[data-anchor="discard"]',
  finish: '[data-anchor="finish"]',
  meld: '[data-meld]',
  hand: '.hand',
  buttons: '.buttons',
  drop: '[data-drop-price]',
};
const AGAIN_MS = 250;

type Kind = 'card' | 'place';

function marked(step: Step, selected: readonly string[]): Map<Element, Kind> {
  const meld = (step.want.d as { meld?: number } | undefined)?.meld;
  const place = step.at === 'meld' && meld !== undefined ? `[data-meld="${meld}"]` : PLACES[step.at];
  const { missing } = compareCards(step, selected);
  const found = new Map<Element, Kind>();
  const add = (selector: string, kind: Kind) =>
    document.querySelectorAll(selector).forEach((element) => found.set(element, kind));
  for (const card of missing) add(`.hand [data-card="${CSS.escape(card)}"]`, 'card');
  /* A declaration begins and ends at the buttons. */
  if (missing.length === 0 || step.want.t === 'declare') add(place, 'place');
  return found;
}

/** Until canceled. */
export function mark(step: Step, selected: readonly string[]): () => void {
  let shown = new Map<Element, Kind>();
  const again = () => {
    const now = marked(step, selected);
    for (const element of shown.keys()) if (!now.has(element)) element.removeAttribute('data-guided');
    for (const [element, kind] of now) {
      element.setAttribute('data-guided', kind);
      if (!shown.has(element)) element.scrollIntoView({ block: 'nearest' });
    }
    shown = now;
  };
  again();
  const timer = setInterval(again, AGAIN_MS);
  return () => {
    clearInterval(timer);
    for (const element of shown.keys()) element.removeAttribute('data-guided');
  };
}
