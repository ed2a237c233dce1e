/** An attachment that moves an element into the body, like dialogs, so that their layers are comparable. */
export function inBody(node: Element): () => void {
  document.body.append(node);
  return () => node.remove();
}
