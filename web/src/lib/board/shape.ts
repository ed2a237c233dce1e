/* How a table is laid out in the room it has. Used by the table's page. */

/** wide: the others sit around the table. tall: they sit in rows above the piles. flat: beside them, as on a phone held
 * sideways or a laptop at twice its zoom. */
export type Shape = 'wide' | 'tall' | 'flat';
export interface Layout {
  shape: Shape;
  /** Widths of a card in pixels: in the own hand, on a pile, in a meld. */
  hand: number;
  pile: number;
  meld: number;
}

/** In the player's size of text: what is wide for small letters is not for large ones. */
const WIDE_REM = 60;
const HIGH_REM = 35;
/** So low that nothing fits above something else. */
const LOW_REM = 26;
/** A card of the hand is no narrower, however small the window. */
const CARD_MIN_PX = 46;

const between = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, value));

function shapeOf(width: number, height: number, rem: number): Shape {
  const square = height < LOW_REM * rem ? 1 : 1.15;
  if (height < HIGH_REM * rem) return width > square * height ? 'flat' : 'tall';
  return width < WIDE_REM * rem ? 'tall' : 'wide';
}

/** What a player's choice makes of the cards of their hand. */
const SIZE = { small: 0.86, normal: 1, large: 1.18 };
export type CardSize = keyof typeof SIZE;

/** Of a table `width` by `height` pixels with so many pixels to the size of the text and so many melds: many of them are
 * drawn smaller, so that all are seen. */
export function layoutOf(
  width: number,
  height: number,
  rem: number,
  melds: number,
  size: CardSize = 'normal',
): Layout {
  const shape = shapeOf(width, height, rem);
  const scale = SIZE[size];
  const crowd = melds > 18 ? 0.7 : melds > 11 ? 0.85 : 1;
  if (shape === 'wide') {
    const plain = Math.min(126, height * 0.115, width * 0.068);
    const hand = scale * plain;
    /* The piles give what the hand takes: what lies on the table keeps its room. */
    return { shape, hand, pile: plain * 0.92 - (hand - plain), meld: crowd * Math.min(74, plain * 0.6) };
  }
  if (shape === 'flat') {
    const hand = between(CARD_MIN_PX, scale * height * 0.165, scale * 84);
    return { shape, hand, pile: between(44, hand * 0.88, 70), meld: Math.max(32, crowd * hand * 0.68) };
  }
  const hand = between(CARD_MIN_PX, scale * Math.min(width * 0.15, height * 0.085), scale * 92);
  return { shape, hand, pile: between(50, hand, 88), meld: Math.max(34, crowd * hand * 0.76) };
}
