/* A QR code as an SVG path. Pure. */
import { encode } from 'uqr';

/** Modules of the quiet zone that scanners need. */
const QUIET = 4;

export interface QrPicture {
  /** Width and height in modules, including the quiet zone. */
  size: number;
  /** The dark modules, as `d` of a path. */
  path: string;
}

export function qrPicture(text: string): QrPicture {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const rows = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''));
  return { size, path: rows.join('') };
}
