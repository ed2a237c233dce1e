/* Layout of a table in the available space. Used by the table's page. */

/** wide: opponents sit around the table. tall: they sit in rows above the piles. flat: they sit next to the
 * piles, as on a phone held sideways or a laptop at double zoom. */
export type Shape = 'wide' | 'tall' | 'flat';
export interface Layout {
  shape: Shape;
  /** Card widths in pixels: in the player's hand, on a pile, in a meld. */
  hand: number;
  pile: number;
  meld: number;
}

/** In units of the player's text size, because a window that is wide with small text is not wide with large
 * text. */
const WIDE_REM = 60;
const HIGH_REM = 35;
/** Too low to stack anything. */
const LOW_REM = 26;
/** Minimum width of a card in the hand, however small the window. */
const CARD_MIN_PX = 46;

const between = (least: number, value: number, most: number): number =>
  Math.min(most, Math.max(least, value));

function shapeOf(width: number, height: number, rem: number): Shape {
  const square = height < LOW_REM * rem ? 1 : 1.15;
  if (height < HIGH_REM * rem) return width > square * height ? 'flat' : 'tall';
  return width < WIDE_REM * rem ? 'tall' : 'wide';
}

/** Effect of the player's card size setting. */
const SIZE = { small: 0.86, normal: 1, large: 1.18 };
export type CardSize = keyof typeof SIZE;

/** Layout of a table of `width` by `height` pixels, for a text size in pixels and a number of melds. If
 * there are many melds, they are drawn smaller so that all are visible. */
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
    /* The piles shrink by as much as the hand grows, so that the melds keep their space. */
    return { shape, hand, pile: plain * 0.92 - (hand - plain), meld: crowd * Math.min(74, plain * 0.6) };
  }
  if (shape === 'flat') {
    const hand = between(CARD_MIN_PX, scale * height * 0.165, scale * 84);
    return { shape, hand, pile: between(44, hand * 0.88, 70), meld: Math.max(32, crowd * hand * 0.68) };
  }
  const hand = between(CARD_MIN_PX, scale * Math.min(width * 0.15, height * 0.085), scale * 92);
  return { shape, hand, pile: between(50, hand, 88), meld: Math.max(34, crowd * hand * 0.76) };
}
