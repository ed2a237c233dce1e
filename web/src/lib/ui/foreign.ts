/* Lets the page survive browser translation. Chrome and Edge remove a text node from the document and put
 * their <font> in its place. Svelte still holds the text node. Without this module, its updates would have
 * no visible effect, and a removed block would leave its translation behind. */

/** Removed text nodes, and their replacements. */
const replaced = new WeakMap<Node, HTMLElement>();
const taken = new WeakSet<Node>();

const isFont = (node: Node | null): node is HTMLElement => node?.nodeName === 'FONT';

/** The <font> that replaces a removed text node. A translator may replace the node, or insert the <font>
 * before or after removing it. */
function standIn(removal: MutationRecord, records: readonly MutationRecord[]): HTMLElement | undefined {
  const beside = [...removal.addedNodes, removal.previousSibling, removal.nextSibling];
  const later = records.filter(
    ({ target, previousSibling, nextSibling }) =>
      target === removal.target &&
      previousSibling === removal.previousSibling &&
      nextSibling === removal.nextSibling,
  );
  return [...beside, ...later.flatMap(({ addedNodes }) => [...addedNodes])]
    .filter(isFont)
    .find((font) => font.isConnected && !taken.has(font));
}

function look(records: readonly MutationRecord[], observer: MutationObserver): void {
  for (const record of records) {
    if (record.type === 'characterData') {
      putBack(record.target);
      continue;
    }
    for (const node of record.removedNodes) {
      if (node.nodeType !== Node.TEXT_NODE || node.isConnected) continue;
      const font = standIn(record, records);
      if (!font) continue;
      replaced.set(node, font);
      taken.add(font);
      observer.observe(node, { characterData: true });
    }
  }
}

/** Shows the page's own text again. If the translator is still active, it translates the new text. */
function putBack(text: Node): void {
  const font = replaced.get(text);
  if (!font) return;
  replaced.delete(text);
  if (font.isConnected) font.replaceWith(text);
}

/** Svelte walks from the first node of a block to its last, and removes or inserts nodes there, so both
 * must be in the document. */
function followReplaced(): void {
  const sibling = Object.getOwnPropertyDescriptor(Node.prototype, 'nextSibling');
  const get = sibling?.get;
  if (!get) return;
  Object.defineProperty(Node.prototype, 'nextSibling', {
    ...sibling,
    get(this: Node) {
      const next = get.call(this) as Node | null;
      if (next || !replaced.has(this)) return next;
      putBack(this);
      return get.call(this) as Node | null;
    },
  });
  for (const name of ['remove', 'before', 'after', 'replaceWith'] as const) {
    const own = CharacterData.prototype[name] as (...nodes: (Node | string)[]) => void;
    CharacterData.prototype[name] = function (this: CharacterData, ...nodes: (Node | string)[]) {
      putBack(this);
      own.apply(this, nodes);
    };
  }
}

/** Must be called before anything is mounted. */
export function surviveTranslation(root: Node = document): void {
  followReplaced();
  const observer = new MutationObserver((records) => look(records, observer));
  observer.observe(root, { childList: true, subtree: true });
}
