/** Attached to an element: it stands in the body, as dialogs do, so that its layer is compared with theirs. */
export function inBody(node: Element): () => void {
  document.body.append(node);
  return () => node.remove();
}
