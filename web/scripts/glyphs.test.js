import { expect, it } from 'vitest';
import { glyphsOf, withCopies } from './glyphs.mjs';

/** A font that has only a table cmap, of one subtable in format 4. */
function fontOf(subtable) {
  const words = [0, 1, 1, 0, 0, 0]; // version, number of tables, search fields
  const cmap = [0, 1, 3, 1, 0, 12, ...subtable];
  const record = [0x636d, 0x6170, 0, 0, 0, 28, 0, cmap.length * 2];
  const font = Buffer.alloc((words.length + record.length + cmap.length) * 2);
  [...words, ...record, ...cmap].forEach((word, i) => font.writeUInt16BE(word, i * 2));
  return font;
}

/* A to C are the glyphs 1 to 3; of x to z, the array contains 7 and 9, and nothing for y. */
const LETTERS = fontOf([
  ...[4, 46, 0, 6, 0, 0, 0],
  ...[0x43, 0x7a, 0xffff, 0],
  ...[0x41, 0x78, 0xffff],
  ...[0x10000 - 0x40, 0, 1],
  ...[0, 4, 0],
  ...[7, 0, 9],
]);
const GLYPHS = { A: 1, B: 2, C: 3, x: 7, z: 9 };
const read = (font) =>
  Object.fromEntries([...glyphsOf(font)].map(([code, glyph]) => [String.fromCodePoint(code), glyph]));

it('reads the glyphs of segments with and without an array', () => {
  expect(read(LETTERS)).toEqual(GLYPHS);
});

it('gives a character the glyph of another', () => {
  expect(read(withCopies(LETTERS, { '\u2011': 'B', Я: 'z' }))).toEqual({ ...GLYPHS, '\u2011': 2, Я: 9 });
});

it('refuses a copy of a character that the font lacks, and a font without the table', () => {
  expect(() => withCopies(LETTERS, { '\u2011': '-' })).toThrow('the font has no glyph for -');
  const other = Buffer.from(LETTERS);
  other.write('glyf', 12, 'latin1');
  expect(() => glyphsOf(other)).toThrow('the font has no table cmap');
});
