/* Outlines what a step speaks of. The table draws its parts anew as it likes: they are marked again then. */
import type { Step, Target } from './script';

const PLACES: Record<Target, string> = {
  stock: '[data-anchor="stock"]',
  discard: '[data-anchor="discard"]',
  finish: '[data-anchor="finish"]',
  meld: '[data-meld]',
  hand: '.hand',
  buttons: '.buttons',
};
const AGAIN_MS = 250;

function marked(step: Step): Element[] {
  const { want, at, cards = [] } = step;
  const meld = (want.d as { meld?: number } | undefined)?.meld;
  const place = at === 'meld' && meld !== undefined ? `[data-meld="${meld}"]` : PLACES[at];
  const selectors = [place, ...cards.map((card) => `.hand [data-card="${CSS.escape(card)}"]`)];
  return selectors.flatMap((selector) => [...document.querySelectorAll(selector)]);
}

/** Until it is called off. */
export function mark(step: Step): () => void {
  let shown: Element[] = [];
  const again = () => {
    const now = marked(step);
    for (const element of shown) if (!now.includes(element)) element.removeAttribute('data-guided');
    for (const element of now) element.setAttribute('data-guided', '');
    shown = now;
  };
  again();
  const timer = setInterval(again, AGAIN_MS);
  return () => {
    clearInterval(timer);
    for (const element of shown) element.removeAttribute('data-guided');
  };
}
