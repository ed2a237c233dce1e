/* The fonts of the npm packages, reduced to the letters that the page needs (scripts/fonts.mjs). */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import subsetFont from 'subset-font';
import { glyphsOf, withCopies } from './glyphs.mjs';

const { resolve } = createRequire(import.meta.url);

/* Scripts with a separate package. */
export const INDIC = ['bengali', 'tamil', 'telugu'];

/** The rupee sign alone. */
export const RUPEE = 'rupee';

/* Features that letters need, without old-style figures, small capitals, and the like. The scripts of India need all
 * their features. */
const FEATURES = ['ccmp', 'kern', 'liga', 'locl', 'mark', 'mkmk'];

/* The packages have no glyph for the hyphen at which no line breaks. */
const COPIES = { latin: { '\u2011': '-' } };

/** The package's file that contains a subset. */
function sourceOf(file, subset) {
  const script = INDIC.includes(subset) ? `${file}-${subset}` : file;
  const letters = subset === RUPEE ? 'latin-ext' : subset;
  return resolve(`@fontsource-variable/${script}/files/${script}-${letters}-wght-normal.woff2`);
}

/** An uncompressed font with all its glyphs. */
const plain = (font) => subsetFont(font, undefined, { keepAllGlyphs: true, targetFormat: 'truetype' });

/** The font file with these letters. `axis`: its weight, or the range of its weights. */
export async function subsetOf(file, subset, letters, axis) {
  const source = await readFile(sourceOf(file, subset));
  const copies = COPIES[subset];
  return subsetFont(copies ? withCopies(await plain(source), copies) : source, letters, {
    targetFormat: 'woff2',
    variationAxes: { wght: axis },
    keepFeatures: subset === 'devanagari' || INDIC.includes(subset) ? undefined : FEATURES,
  });
}

/** The characters for which a font file has glyphs. */
export async function charactersOf(font) {
  return new Set([...glyphsOf(await plain(font)).keys()].map((code) => String.fromCodePoint(code)));
}
