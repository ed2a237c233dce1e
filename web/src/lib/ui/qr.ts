/* A QR code as the path of a picture. Pure. */
import { encode } from 'uqr';

/** Modules of the quiet zone around it that readers want. */
const QUIET = 4;

export interface QrPicture {
  /** Its width and height in modules, the quiet zone included. */
  size: number;
  /** The dark modules, as `d` of a path. */
  path: string;
}

export function qrPicture(text: string): QrPicture {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET });
  const rows = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''));
  return { size, path: rows.join('') };
}
