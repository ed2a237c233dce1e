/* Keyboard shortcuts of the table. Letters work unless a field, a menu, or a dialog has the focus. */
import { say } from '$lib/messages/messages';
import type { Card } from '$lib/cards/cards';
import type { TableGame } from '$lib/table/game.svelte';
import { pressed } from '$lib/ui/keys';

/** The keys and what each does. */
export function keysSaid(): [string, string][] {
  return [
    ['D', say('keys.draw')],
    ['F', say('keys.take')],
    [say('key.arrows'), say('keys.walk')],
    [say('key.space'), say('keys.choose')],
    [say('key.shift_arrows'), say('keys.move')],
    ['G', say('keys.group')],
    ['S / R', say('keys.sort')],
    ['L', say('keys.lay')],
    [say('key.tab_enter'), say('keys.meld')],
    ['T', say('keys.throw')],
    ['B', say('keys.take_back')],
    ['P', say('keys.put_back')],
    ['H', say('keys.hint')],
    ['V', say('keys.flip')],
    ['E', say('keys.declare')],
    ['Q', say('keys.drop')],
    [say('key.escape'), say('keys.nothing')],
    ['?', say('keys.list')],
  ];
}

interface HandActions {
  focusFirst(): void;
  focusedCard(): Card | null;
}
export interface ShortcutTargets {
  hand: HandActions | undefined;
  ongroup: () => void;
  ondrop: () => void;
}

/** Text inputs and dialogs over the table receive the letters themselves. */
export function inField(event: KeyboardEvent): boolean {
  return (event.target as HTMLElement).closest('input, textarea, [role="menu"], [role="dialog"]') !== null;
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
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented || inField(event)) return;
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
    h: () => void (game.declares ? game.moves.arrangeBest() : game.moves.askHint()),
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
  const action = keys[pressed(event)];
  if (!action) return;
  event.preventDefault();
  action();
}
