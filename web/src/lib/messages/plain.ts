/** Text without accents and capitals, to compare what a player types on any keyboard. The four Turkish
 * letters İ, i, I, and ı count as one. */
export function plain(text: string): string {
  return text
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replaceAll('ı', 'i');
}

/** A typed code of ASCII letters: a Turkish keyboard has İ and ı in addition to I and i. */
export function withoutTurkishI(typed: string): string {
  return typed.replaceAll(/[İı]/g, 'I');
}
