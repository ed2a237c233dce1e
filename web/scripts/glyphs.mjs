/* The characters of a font's glyphs: the table cmap of an uncompressed TrueType font, as the OpenType specification
 * describes it. */

const RECORD = 16;
const FORMAT_4 = 4;
/* A segment of one character, without an array of glyphs; the last segment must end at U+FFFF. */
const HEADER = 16;
const SEGMENT = 8;
const LAST = 0xffff;

/** The record of the table in the font's directory: tag, checksum, offset, and length. */
function recordOf(font, tag) {
  const count = font.readUInt16BE(4);
  for (let i = 0; i < count; i++) {
    const at = 12 + i * RECORD;
    if (font.toString('latin1', at, at + 4) === tag) return at;
  }
  throw new Error(`the font has no table ${tag}`);
}

/** Where the first subtable of format 4 begins. */
function subtableOf(font) {
  const cmap = font.readUInt32BE(recordOf(font, 'cmap') + 8);
  const count = font.readUInt16BE(cmap + 2);
  for (let i = 0; i < count; i++) {
    const at = cmap + font.readUInt32BE(cmap + 4 + i * 8 + 4);
    if (font.readUInt16BE(at) === FORMAT_4) return at;
  }
  throw new Error('the font has no cmap of format 4');
}

/** Code of the character → glyph. */
export function glyphsOf(font) {
  const start = subtableOf(font);
  const bytes = font.readUInt16BE(start + 6); // two per segment
  const glyphs = new Map();
  for (let i = 0; i < bytes; i += 2) {
    const at = start + 14 + i;
    const end = font.readUInt16BE(at);
    const first = font.readUInt16BE(at + bytes + 2);
    const delta = font.readUInt16BE(at + bytes * 2 + 2);
    const offset = at + bytes * 3 + 2;
    const array = font.readUInt16BE(offset);
    for (let code = first; code <= end && code < LAST; code++) {
      const glyph = array ? font.readUInt16BE(offset + array + (code - first) * 2) : code;
      if (glyph || !array) glyphs.set(code, (glyph + delta) & 0xffff);
    }
  }
  return glyphs;
}

/** A table cmap for characters up to U+FFFE, for Windows and Unicode. */
function cmapOf(glyphs) {
  const segments = [...glyphs].sort(([one], [other]) => one - other);
  segments.push([LAST, 0]);
  const row = segments.length * 2;
  const length = HEADER + segments.length * SEGMENT;
  const table = Buffer.alloc(12 + length);
  table.writeUInt16BE(1, 2);
  table.writeUInt16BE(3, 4);
  table.writeUInt16BE(1, 6);
  table.writeUInt32BE(12, 8);
  const subtable = table.subarray(12);
  subtable.writeUInt16BE(FORMAT_4, 0);
  subtable.writeUInt16BE(length, 2);
  subtable.writeUInt16BE(row, 6);
  for (const [i, [code, glyph]] of segments.entries()) {
    subtable.writeUInt16BE(code, 14 + i * 2);
    subtable.writeUInt16BE(code, HEADER + row + i * 2);
    subtable.writeUInt16BE((glyph - code) & 0xffff, HEADER + row * 2 + i * 2);
  }
  return table;
}

/** The font with the glyph of one character also for another, such as `{ '\u2011': '-' }`. The checksum of the table
 * is wrong, which neither the subsetter nor the compression reads. */
export function withCopies(font, copies) {
  const glyphs = glyphsOf(font);
  for (const [copy, original] of Object.entries(copies)) {
    const glyph = glyphs.get(original.codePointAt(0));
    if (glyph === undefined) throw new Error(`the font has no glyph for ${original}`);
    glyphs.set(copy.codePointAt(0), glyph);
  }
  const table = cmapOf(glyphs);
  const end = Math.ceil(font.length / 4) * 4;
  const changed = Buffer.concat([font, Buffer.alloc(end - font.length), table]);
  const record = recordOf(changed, 'cmap');
  changed.writeUInt32BE(end, record + 8);
  changed.writeUInt32BE(table.length, record + 12);
  return changed;
}
