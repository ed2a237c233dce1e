/* Converts Serbian from Latin to Cyrillic letters. The conversion is unambiguous except for lj, nj, and dž
 * where two parts of a word meet; SEAMS lists such words. Words in FOREIGN and words with a letter that
 * Serbian lacks (Rummy, QR) remain unchanged. */

const PAIRS: Record<string, string> = { lj: 'љ', nj: 'њ', dž: 'џ' };
const LETTERS: Record<string, string> = Object.fromEntries(
  [...'abvgdđežzijklmnoprstćufhcčš'].map((latin, i) => [latin, [...'абвгдђежзијклмнопрстћуфхцчш'][i] ?? '']),
);

/* Beginnings of words in which the two letters are separate sounds. */
const SEAMS =
  /^(?:injekc|injekt|konjekt|konjug|konjunk|anjon|vanjezi|tanjug|nadživ|nadžnj|odžal|odživ|odžvak|podžanr|podžup|nadžup|predživ)/i;
/* Names of formats, companies, units, and keys. */
const FOREIGN =
  /^(?:JavaScript|JSON|UTC|HTTP|HTTPS|https|http|PDF|PIN|CSV|UTF|Google|Apple|Firebase|base64url|Bearer|Transfer|Encoding|chunked|continue|MiB|KiB|Esc|Shift|Tab|Enter|Home|End|Page|Up|Treff)$/;
const OF_OTHERS = /[qwxyQWXY]/;
/* English words, which Cyrillic spells as they sound, and the abbreviation for hours. */
const SOUNDED: readonly (readonly [RegExp, string])[] = [
  [/^hand(?=(?:a|u|om|ovi|ova|ove|ovima)?$)/i, 'hend'],
  [/^h$/, 'č'],
];

function cased(cyrillic: string, latin: string): string {
  return latin.charAt(0) === latin.charAt(0).toLowerCase() ? cyrillic : cyrillic.toUpperCase();
}

function sounded(latin: string): string {
  const [written, sound] = SOUNDED.find(([beginning]) => beginning.test(latin)) ?? [];
  if (!written || !sound) return latin;
  const upper = latin.charAt(0) !== latin.charAt(0).toLowerCase();
  return latin.replace(written, upper ? sound.charAt(0).toUpperCase() + sound.slice(1) : sound);
}

function word(latin: string): string {
  if (OF_OTHERS.test(latin) || FOREIGN.test(latin)) return latin;
  const seam = SEAMS.test(latin);
  return sounded(latin).replace(/lj|nj|dž|[a-zđžćčš]/gi, (letters) => {
    const low = letters.toLowerCase();
    if (low.length === 1) return cased(LETTERS[low] ?? low, letters);
    return seam
      ? [...letters].map((one) => cased(LETTERS[one.toLowerCase()] ?? one, one)).join('')
      : cased(PAIRS[low] ?? low, letters);
  });
}

/** The text in Cyrillic letters. Addresses, words that contain digits, and the letter of a key, "(F)",
 * remain unchanged. */
export function cyrillic(text: string): string {
  return text
    .normalize('NFC')
    .replace(/https?:\/\/\S+|\([A-Z]\)|[\p{L}\d][\p{L}\p{M}\d]*/gu, (found) =>
      /:\/\/|\d|^\(/.test(found) ? found : word(found),
    );
}
