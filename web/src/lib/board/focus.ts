/* Keeps the keyboard's focus at the table: a button that was pressed is often gone afterwards, or out of use while the
 * answer is on its way, and the browser would begin at the top of the page again. Used by the table's page. */

/** Where it goes from a button that is gone: to the hand, where no key does harm. */
const HOME = '.hand [data-card][tabindex="0"]';

function usable(element: HTMLElement): boolean {
  return element.isConnected && !(element as HTMLButtonElement).disabled;
}

/** An attachment of the element that holds the table. */
export function keepFocus(root: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  const came = (event: FocusEvent) => (last = event.target as HTMLElement);
  /* A press beside everything, or a dialog that opens, takes the focus away by intention. */
  const left = (event: FocusEvent) => {
    if (event.relatedTarget && !root.contains(event.relatedTarget as Node)) last = null;
  };
  const pressed = (event: PointerEvent) => {
    if (!(event.target as HTMLElement).closest('button, a, input')) last = null;
  };
  const watch = new MutationObserver(() => {
    if (!last || document.activeElement !== document.body) return;
    if (usable(last)) last.focus({ preventScroll: true });
    else if (!last.isConnected) root.querySelector<HTMLElement>(HOME)?.focus({ preventScroll: true });
  });
  watch.observe(root, { subtree: true, childList: true, attributeFilter: ['disabled'] });
  root.addEventListener('focusin', came);
  root.addEventListener('focusout', left);
  root.addEventListener('pointerdown', pressed);
  return () => {
    watch.disconnect();
    root.removeEventListener('focusin', came);
    root.removeEventListener('focusout', left);
    root.removeEventListener('pointerdown', pressed);
  };
}
