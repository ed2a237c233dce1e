/* Pseudo-languages for tests, which reveal what would break in a real language: longer text with accented
 * letters, and right-to-left text. Text without brackets did not come from a message file. */

const ACCENTED: Record<string, string> = Object.fromEntries(
  [...'aceginorsuyzACEGINORSUYZ'].map((plain, i) => [plain, [...'åçéĝîñöŕšûýžÅÇÉĜÎÑÖŔŠÛÝŽ'][i] ?? plain]),
);

/* Translations of short texts grow the most. */
function grown(letters: number): number {
  if (letters === 0) return 0;
  return letters < 10 ? Math.ceil(letters * 0.6) : Math.ceil(letters * 0.35);
}

/** The text with an accent on every letter, and a third longer, padded with words so that lines can
 * break. */
export function accented(text: string): string {
  const letters = text.match(/\p{L}/gu)?.length ?? 0;
  const more = 'ôñé tŵö '
    .repeat(Math.ceil(grown(letters) / 8))
    .slice(0, grown(letters))
    .trimEnd();
  const marked = [...text].map((sign) => ACCENTED[sign] ?? sign).join('');
  return more === '' ? marked : marked.replace(/(\s*)$/, ` ${more}$1`);
}

/** Drawn from right to left, letter by letter, as Arabic is. */
export function mirrored(text: string): string {
  return /\p{L}/u.test(text) ? text.replace(/^(\s*)(.*?)(\s*)$/su, '$1\u202e$2\u202c$3') : text;
}
