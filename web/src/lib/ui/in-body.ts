/** A Svelte attachment that moves an element into the body, where dialogs are, so that their z-indexes are
 * comparable. */
export function inBody(node: Element): () => void {
  document.body.append(node);
  return () => node.remove();
}
