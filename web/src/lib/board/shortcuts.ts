/* Keys of the table. Letters act unless a field, a menu or a dialog has the focus. */
import type { Card } from '$lib/cards/cards';
import type { TableGame } from '$lib/table/game.svelte';

export const KEYS: [string, string][] = [
  ['D', 'Draw from the stock'],
  ['F', 'Take the discard'],
  ['Left, Right', 'Walk through the hand'],
  ['Space', 'Choose a card, or not'],
  ['Shift + Left, Right', 'Move the card'],
  ['G', 'Group the chosen cards, or dissolve the group'],
  ['S / R', 'Sort by suit / by rank'],
  ['L', 'Lay the chosen cards as a meld'],
  ['Tab, Enter', 'Go to a meld, bring the chosen card to it'],
  ['T', 'Throw the chosen card, or the one in focus'],
  ['B', 'Take back what is not opened yet'],
  ['P', 'Put the taken discard back'],
  ['H', 'Hint; in Indian games: arrange the hand'],
  ['V', 'Turn the pile over to be the stock (straight rummy)'],
  ['E', 'Declare: the chosen card goes to the finish slot (Indian games)'],
  ['Q', 'Drop out of the deal (Indian games)'],
  ['Esc', 'Choose nothing'],
];

interface HandActions {
  focusFirst(): void;
  focusedCard(): Card | null;
}
export interface ShortcutTargets {
  hand: HandActions | undefined;
  ongroup: () => void;
  ondrop: () => void;
}

function throwCards(game: TableGame, hand: HandActions | undefined): void {
  const focused = hand?.focusedCard();
  const cards = game.hand.selected.length > 0 ? game.hand.selected : focused ? [focused] : [];
  if (cards.length > 0) game.moves.discard(cards);
}

export function shortcut(
  event: KeyboardEvent,
  game: TableGame,
  { hand, ongroup, ondrop }: ShortcutTargets,
): void {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const target = event.target as HTMLElement;
  if (target.closest('input, textarea, [role="menu"], [role="dialog"]')) return;
  const keys: Record<string, () => void> = {
    d: () => void game.moves.draw('stock'),
    f: () => void game.moves.draw('discard'),
    g: () => {
      if (game.hand.selected.length > 0) ongroup();
    },
    s: () => game.hand.sort('suit'),
    r: () => game.hand.sort('rank'),
    l: () => game.moves.lay(game.hand.selected),
    t: () => throwCards(game, hand),
    b: () => void game.moves.takeBack(),
    p: () => void game.moves.cancelDraw(),
    h: () => void (game.declares ? game.moves.arrangeBest() : game.moves.askHints()),
    v: () => void game.moves.flip(),
    e: () => {
      if (game.declares && game.playing) game.moves.declare();
    },
    q: () => {
      if (game.drawing && (game.state?.dropPoints ?? 0) > 0) ondrop();
    },
    escape: () => (game.chat.open ? game.chat.show(false) : game.select([])),
    arrowleft: () => hand?.focusFirst(),
    arrowright: () => hand?.focusFirst(),
  };
  const action = keys[event.key.toLowerCase()];
  if (!action) return;
  event.preventDefault();
  action();
}
