/* Keeps the keyboard focus at the table. A pressed button often disappears or is disabled while the reply
 * is pending; without this, the browser would move the focus to the top of the page. Used by the table's
 * page. */

/** The focus moves from a removed button to the hand, where no key does harm. */
const HOME = '.hand [data-card][tabindex="0"]';

function usable(element: HTMLElement): boolean {
  return element.isConnected && !(element as HTMLButtonElement).disabled;
}

/** Svelte attachment for the element that contains the table. */
export function keepFocus(root: HTMLElement): () => void {
  let last: HTMLElement | null = null;
  const came = (event: FocusEvent) => (last = event.target as HTMLElement);
  /* A click outside any control, or a dialog that opens, moves the focus intentionally. */
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
