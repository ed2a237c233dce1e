/* Keyboard shortcuts that work on every layout. */

type Pressed = Pick<KeyboardEvent, 'key' | 'code' | 'shiftKey'>;

/** Matches what a non-Latin layout or an input method reports instead of a Latin letter. */
const isOtherScript = (key: string) => /[\p{L}\p{M}]/u.test(key) && !/\p{Script=Latin}/u.test(key);
const isUnknown = (key: string) => /^(?:Dead|Process|Unidentified)$/.test(key);

/** The name of a pressed key, with letters in lower case. For Latin layouts, it is the label, so that A on
 * a French keyboard is A. For layouts without Latin letters, and for digits that need Shift, it is the
 * position on the keyboard. */
export function pressed({ key, code, shiftKey }: Pressed): string {
  if (code === 'Space') return ' ';
  const other = isOtherScript(key) || isUnknown(key);
  if (other && /^Key[A-Z]$/.test(code)) return code.slice(-1).toLowerCase();
  if (other && code === 'Slash' && shiftKey) return '?';
  if (!/^\d$/.test(key) && !shiftKey && /^Digit\d$/.test(code)) return code.slice(-1);
  return key.toLowerCase();
}
