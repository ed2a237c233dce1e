/* The player's arrangement of their hand: their groups, then the loose cards. Pure. Stored only in the
 * browser; the server does not have it. */
import { compareBy, sortCards, type Card, type SortKey } from '$lib/cards/cards';

/** groups: made by the player, at least one card each; loose: the rest, in order. */
export interface HandOrder {
  groups: Card[][];
  loose: Card[];
}

export const EMPTY_ORDER: HandOrder = { groups: [], loose: [] };

export function allCards(order: HandOrder): Card[] {
  return [...order.groups.flat(), ...order.loose];
}

function tidy(order: HandOrder): HandOrder {
  return { ...order, groups: order.groups.filter((g) => g.length > 0) };
}

/** Adapts the stored order to the cards that are actually in the hand: removes missing cards and appends
 * new ones. */
export function reconcile(order: HandOrder, hand: readonly Card[]): HandOrder {
  const held = new Set(hand);
  const groups = order.groups.map((g) => g.filter((c) => held.has(c)));
  const loose = order.loose.filter((c) => held.has(c));
  const known = new Set([...groups.flat(), ...loose]);
  return tidy({ groups, loose: [...loose, ...hand.filter((c) => !known.has(c))] });
}

/** The order without these cards; a group may become empty. */
export function without(order: HandOrder, cards: readonly Card[]): HandOrder {
  const gone = new Set(cards);
  return {
    groups: order.groups.map((g) => g.filter((c) => !gone.has(c))),
    loose: order.loose.filter((c) => !gone.has(c)),
  };
}

export function group(order: HandOrder, cards: readonly Card[]): HandOrder {
  const rest = without(order, cards);
  return tidy({ groups: [...rest.groups, [...cards]], loose: rest.loose });
}

export function ungroup(order: HandOrder, index: number): HandOrder {
  const cards = order.groups[index] ?? [];
  return { groups: order.groups.filter((_, i) => i !== index), loose: [...cards, ...order.loose] };
}

/** Moves the cards before `before` (a card of a group or loose), or to the end of the hand. */
export function moveCards(order: HandOrder, cards: readonly Card[], before: Card | null): HandOrder {
  if (before !== null && cards.includes(before)) return order;
  const rest = without(order, cards);
  const insert = (list: Card[]): Card[] => {
    const at = before === null ? -1 : list.indexOf(before);
    return at < 0 ? list : [...list.slice(0, at), ...cards, ...list.slice(at)];
  };
  const groups = rest.groups.map(insert);
  const placed = groups.some((g, i) => g.length !== rest.groups[i]?.length);
  const loose = insert(rest.loose);
  if (placed || loose.length !== rest.loose.length) return tidy({ groups, loose });
  return tidy({ groups: rest.groups, loose: [...rest.loose, ...cards] });
}

/** Moves the cards to the end of a group. */
export function moveToGroup(order: HandOrder, cards: readonly Card[], index: number): HandOrder {
  const rest = without(order, cards);
  return tidy({ ...rest, groups: rest.groups.map((g, i) => (i === index ? [...g, ...cards] : g)) });
}

/** One step to the left or right within its group or the loose cards. */
export function nudge(order: HandOrder, card: Card, step: -1 | 1): HandOrder {
  const swap = (list: Card[]): Card[] => {
    const at = list.indexOf(card);
    const to = at + step;
    if (at < 0 || to < 0 || to >= list.length) return list;
    const next = [...list];
    next.splice(at, 1);
    next.splice(to, 0, card);
    return next;
  };
  return { groups: order.groups.map(swap), loose: swap(order.loose) };
}

/** Sorts the loose cards; groups are not changed. */
export function sortLoose(order: HandOrder, by: SortKey): HandOrder {
  return { ...order, loose: sortCards(order.loose, by) };
}

/** Moves a loose card before the first one that sorts after it; the other cards keep the player's order. */
export function placeLoose(order: HandOrder, card: Card, by: SortKey): HandOrder {
  const others = order.loose.filter((other) => other !== card);
  if (others.length === order.loose.length) return order;
  const behind = others.findIndex((other) => compareBy(by, card, other) < 0);
  const at = behind < 0 ? others.length : behind;
  return { ...order, loose: [...others.slice(0, at), card, ...others.slice(at)] };
}

/* ---- Layout ----------------------------------------------------------------------------------- */
export interface Slot {
  card: Card;
  x: number;
  y: number;
  z: number;
  group: number | null;
}
export interface GroupBox {
  index: number;
  x: number;
  y: number;
  /** Above the previous row, below the cards of this row. */
  z: number;
  width: number;
}
export interface HandLayout {
  slots: Slot[];
  boxes: GroupBox[];
  height: number;
  step: number;
}
export interface HandMetrics {
  width: number;
  cardWidth: number;
  cardHeight: number;
  /** Maximum distance between neighboring cards, and the minimum at which a finger can still hit each
   * card. */
  stepMax: number;
  stepMin: number;
  groupGap: number;
  rowGap: number;
}

function rowsOf(blocks: { cards: Card[]; group: number | null }[], rows: number) {
  if (rows === 1) return [blocks];
  const total = blocks.reduce((n, b) => n + b.cards.length, 0);
  const first: typeof blocks = [];
  const second: typeof blocks = [];
  let n = 0;
  for (const block of blocks) {
    const room = Math.ceil(total / 2) - n;
    n += block.cards.length;
    if (second.length === 0 && block.cards.length <= Math.max(room, 0)) {
      first.push(block);
    } else if (second.length === 0 && room > 0 && block.group === null) {
      first.push({ cards: block.cards.slice(0, room), group: null });
      second.push({ cards: block.cards.slice(room), group: null });
    } else {
      second.push(block);
    }
  }
  return [first, second].filter((r) => r.length > 0);
}

function stepOf(row: { cards: Card[] }[], m: HandMetrics): number {
  const n = row.reduce((sum, b) => sum + b.cards.length, 0);
  const gaps = (row.length - 1) * m.groupGap;
  return n <= 1 ? m.stepMax : Math.min(m.stepMax, (m.width - m.cardWidth - gaps) / (n - 1));
}

/** One row if a finger can still hit each card, otherwise two. */
export function layoutHand(order: HandOrder, m: HandMetrics): HandLayout {
  const blocks = [
    ...order.groups.map((cards, i) => ({ cards, group: i as number | null })),
    ...(order.loose.length > 0 ? [{ cards: order.loose, group: null }] : []),
  ];
  if (blocks.length === 0) return { slots: [], boxes: [], height: m.cardHeight, step: m.stepMax };
  const rows = rowsOf(blocks, stepOf(blocks, m) < m.stepMin ? 2 : 1);
  const step = Math.min(...rows.map((row) => stepOf(row, m)));
  const slots: Slot[] = [];
  const boxes: GroupBox[] = [];
  rows.forEach((row, r) => {
    const n = row.reduce((sum, b) => sum + b.cards.length, 0);
    const span = (n - 1) * step + m.cardWidth + (row.length - 1) * m.groupGap;
    let x = (m.width - span) / 2;
    const y = r * m.rowGap;
    row.forEach((block, b) => {
      const start = x;
      const under = 2 * slots.length + 1;
      for (const card of block.cards) {
        slots.push({ card, x, y, z: 2 * slots.length + 2, group: block.group });
        x += step;
      }
      const width = (block.cards.length - 1) * step + m.cardWidth;
      if (block.group !== null) boxes.push({ index: block.group, x: start, y, z: under, width });
      if (b < row.length - 1) x += m.groupGap;
    });
  });
  return { slots, boxes, height: (rows.length - 1) * m.rowGap + m.cardHeight, step };
}
