/* Names out of ids. Pure. */

/** "First game" of first_game. */
export function titleOf(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
