/* Which letters each of the page's font files contains (scripts/fonts.mjs). */
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const MESSAGES = new URL('../src/lib/messages/', import.meta.url);
const fromNpm = createRequire(import.meta.url);
const BLOCKS = ['', '-bengali', '-tamil', '-telugu'].reduceRight(
  (blocks, script) => ({ ...blocks, ...fromNpm(`@fontsource-variable/noto-sans${script}/unicode.json`) }),
  {},
);

/* Always included, because names of players and clubs may contain them. `latin` has the letters of English,
 * German, and French, and the dotless i of Turkish, which the package has only in this file; `latin-ext`
 * adds those of most of Europe. */
const KEPT = {
  latin:
    'U+20-7E, U+A0-FF, U+131, U+152-153, U+2011, U+2013-2014, U+2018-201A, U+201C-201E, U+2022, U+2026, U+202F, U+2039-203A, U+20AC, U+2122, U+2212',
  'latin-ext': 'U+100-130, U+132-151, U+154-17F, U+218-21B',
  cyrillic: 'U+400-45F, U+490-491, U+2116',
  devanagari: 'U+900-97F, U+200C-200D, U+20B9, U+25CC',
  bengali: 'U+980-9FF',
  tamil: 'U+B80-BFF',
  telugu: 'U+C00-C7F',
};

/* Dandas, joiners, and the rupee sign, which the Indic scripts share. On other pages they come from the
 * Devanagari file. A page in one of these languages takes them from the file of its script, so that it need
 * not fetch Devanagari. The Telugu font has no rupee sign (scripts/fonts.mjs). */
export const SIGNS = {
  bengali: 'U+964-965, U+200C-200D, U+20B9, U+25CC',
  tamil: 'U+964-965, U+200C-200D, U+20B9, U+25CC',
  telugu: 'U+964-965, U+200C-200D, U+25CC',
};

/** 'U+41-43, U+45' → [[0x41, 0x43], [0x45, 0x45]]. */
const spansOf = (range) =>
  range.split(/, ?/).map((span) => {
    const [from, to = from] = span.slice(2).split('-');
    return [parseInt(from, 16), parseInt(to, 16)];
  });

const hasCode = (range, code) => spansOf(range).some(([from, to]) => code >= from && code <= to);

/** 'U+41-43, U+45' → 'ABCE'. */
export const lettersOf = (range) =>
  spansOf(range)
    .flatMap(([from, to]) => Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)))
    .join('');

/** Characters that need a font of the page. Symbols come from system fonts or are drawn. */
export const WRITTEN = /[\p{L}\p{M}\p{N}\p{P}]/gu;

/** The texts of the page, by file. */
export function readTexts() {
  const files = readdirSync(MESSAGES).filter((name) => name.endsWith('.json'));
  return Object.fromEntries(files.map((name) => [name, readFileSync(new URL(name, MESSAGES), 'utf8')]));
}

/** The range of each font file: the letters above, and any others that these texts contain. */
export function rangesOf(texts) {
  const ranges = { ...KEPT };
  for (const [name, text] of Object.entries(texts))
    for (const letter of new Set(text.match(WRITTEN))) {
      const code = letter.codePointAt(0);
      if (Object.values(ranges).some((range) => hasCode(range, code))) continue;
      const hex = `U+${code.toString(16).toUpperCase()}`;
      const file = Object.keys(ranges).find((one) => hasCode(BLOCKS[one], code));
      if (!file)
        throw new Error(
          `${name}: no font file has ${letter} (${hex}); add its script to scripts/letters.mjs`,
        );
      ranges[file] += `, ${hex}`;
    }
  return ranges;
}
