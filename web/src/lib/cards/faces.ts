/* A card's face as a few paths in a 100 × 140 box. When pips were references to symbols, each had a
 * position and a clip, and the browser processed all of them (about 400 at a table) in every frame that
 * changed anything. */
import { suitOf, type Card } from './cards';
import { COURT_PATHS, PIPS, RANK_PATHS, SUIT_PATHS } from './glyphs';

/** A glyph's box: origin and size. */
interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}
const RANK_BOX: Box = { x: -1.5, y: 0, w: 23, h: 29 };
const SUIT_BOX: Box = { x: 0, y: 0, w: 32, h: 32 };
const COURT_BOX: Box = { x: 0, y: 0, w: 56, h: 40 };
/** Pearls of a court's crown: x, y, radius. */
const PEARLS = [
  [28, 27, 2.6],
  [18, 29, 1.6],
  [38, 29, 1.6],
] as const;
const RANK_STROKE = 3.4;
const COURT_STROKE = 2.2;
const PIP = 19;

/** Stroked paths, and their widths. */
export interface Lines {
  d: string;
  width: number;
}
export interface Face {
  /** Filled with the suit's color. */
  ink: string;
  rank: Lines;
  court: Lines | null;
}

/** An arc has 7 numbers: the first 2 are the radii, and those from index 5 the end point. The rotation and
 * the flags between them do not change. */
const ARC = { n: 7, radii: 2, end: 5 };
const tidy = (n: number) => String(Math.round(n * 100) / 100);

/** A path scaled by k (negative: rotated by 180°) and moved by (x, y). It must begin with an absolute
 * command. */
export function moved(path: string, k: number, x: number, y: number): string {
  return path.replace(/([a-z])([^a-z]*)/gi, (_, command: string, text: string) => {
    const numbers = (text.match(/-?(\d+\.?\d*|\.\d+)/g) ?? []).map(Number);
    const kind = command.toUpperCase();
    const [dx, dy] = command === kind ? [x, y] : [0, 0];
    const made = numbers.map((n, i) => {
      const part = i % ARC.n;
      if (kind === 'A' && part < ARC.end) return part < ARC.radii ? Math.abs(k) * n : n;
      const across = kind === 'H' || (kind !== 'V' && (kind === 'A' ? part === ARC.end : i % 2 === 0));
      return k * n + (across ? dx : dy);
    });
    return command + made.map(tidy).join(' ');
  });
}

/** A glyph scaled to fit the middle of a box. */
function fitted(path: string, from: Box, into: Box): { d: string; k: number } {
  const k = Math.min(into.w / from.w, into.h / from.h);
  const x = into.x + (into.w - k * from.w) / 2 - k * from.x;
  const y = into.y + (into.h - k * from.h) / 2 - k * from.y;
  return { d: moved(path, k, x, y), k };
}

/** The same, upside down. */
const opposite = (d: string) => moved(d, -1, 100, 140);
const both = (d: string) => d + opposite(d);

const suit = (name: keyof typeof SUIT_PATHS, x: number, y: number, size: number) =>
  fitted(SUIT_PATHS[name], SUIT_BOX, { x, y, w: size, h: size }).d;

function rankIn(rank: string, into: Box): Lines {
  const { d, k } = fitted(RANK_PATHS[rank] ?? '', RANK_BOX, into);
  return { d, width: RANK_STROKE * k };
}

/** A circle as a path. */
const ring = ([x, y, r]: readonly [number, number, number]) =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

function full(rank: string, of: keyof typeof SUIT_PATHS): Face {
  const index = rankIn(rank, { x: 6, y: 7, w: 21, h: 27 });
  const face: Face = {
    ink: both(suit(of, 7.5, 37, 18)),
    rank: { ...index, d: both(index.d) },
    court: null,
  };
  const court = COURT_PATHS[rank];
  if (rank === 'A') face.ink += suit(of, 28, 48, 44);
  else if (court) {
    const panel = { x: 30.5, y: 21, w: 39, h: 28 };
    const { d, k } = fitted(court, COURT_BOX, panel);
    face.court = { d: both(d), width: COURT_STROKE * k };
    face.ink += both(suit(of, 42, 51, 16) + fitted(PEARLS.map(ring).join(''), COURT_BOX, panel).d);
  } else
    for (const [x, y, down] of PIPS[rank] ?? []) {
      const pip = suit(of, x - PIP / 2, y - PIP / 2, PIP);
      face.ink += down ? moved(pip, -1, 2 * x, 2 * y) : pip;
    }
  return face;
}

function small(rank: string, of: keyof typeof SUIT_PATHS): Face {
  return {
    ink: suit(of, 9, 78, 42) + suit(of, 58, 36, 34),
    rank: rankIn(rank, { x: 8, y: 10, w: 44, h: 56 }),
    court: null,
  };
}

/** Below a melded joker: the card that it replaces. */
function stood(rank: string, of: keyof typeof SUIT_PATHS): Face {
  return { ink: suit(of, 34, 86, 25), rank: rankIn(rank, { x: 5, y: 78, w: 30, h: 40 }), court: null };
}

const DRAWN = { full, small, stood };
const kept = new Map<string, Face>();

/** card: not a joker. size: as in CardFace.svelte, or `stood` for a small face below a joker. */
export function faceOf(card: Card, size: keyof typeof DRAWN): Face {
  const [rank, of] = [card.charAt(0), suitOf(card)];
  const key = size + rank + of;
  const face = kept.get(key) ?? DRAWN[size](rank, of ?? 'S');
  kept.set(key, face);
  return face;
}
