/* Texts for players by key, in the language of the page. The server responds only with codes and data. */
import type { MessageKey, Values } from './catalog';
import { language } from './language.svelte';

export type { MessageKey, Values };

/* Right-to-left letters: Hebrew, Arabic, Syriac, Thaana, N'Ko, and so on. */
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;

/* Isolates the direction of right-to-left names, because otherwise a number next to such a name would move
 * to its other side. */
function apart(values: Values): Values {
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && RIGHT_TO_LEFT.test(value) ? `\u2068${value}\u2069` : value,
    ]),
  );
}

/** The text of a key from elsewhere (such as a server code), or `or` if there is none. */
export function sayOr(key: string, or: string, values: Values = {}): string {
  const message = language.message(key);
  if (message === undefined) return or;
  return typeof message === 'string' ? message : message(apart(values));
}

/** The text of a key with its values filled in; empty while it is loading. */
export function say(key: MessageKey, values: Values = {}): string {
  return sayOr(key, language.awaits ? '' : key, values);
}

/** The text of a code in a family of keys, or the code itself if it is unknown. */
export function sayOf(family: string, code: string, values: Values = {}): string {
  return sayOr(`${family}.${code}`, language.awaits ? '' : code, values);
}

/** Reason for a posting. */
export function sayPosting(posting: { cause: string; table_id: string | null }): string {
  const what = sayOf('posting', posting.cause);
  return posting.table_id === null ? what : say('posting.at_table', { what, table: posting.table_id });
}
