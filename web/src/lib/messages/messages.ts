/* Sentences for people, by key, in the language of the page: the server answers with codes and data. */
import type { MessageKey, Values } from './catalog';
import { language } from './language.svelte';

export type { MessageKey, Values };

/** The sentence of a key that came from elsewhere (a code of the server, say), or `or` where there is none. */
export function sayOr(key: string, or: string, values: Values = {}): string {
  const message = language.message(key);
  if (message === undefined) return or;
  return typeof message === 'string' ? message : message(values);
}

/** The sentence of a key with its values in their places; nothing while it is on its way. */
export function say(key: MessageKey, values: Values = {}): string {
  return sayOr(key, language.awaits ? '' : key, values);
}

/** Of a family of keys the sentence of a code; the code itself where it is not known. */
export function sayOf(family: string, code: string, values: Values = {}): string {
  return sayOr(`${family}.${code}`, language.awaits ? '' : code, values);
}

/** What a posting was for. */
export function sayPosting(posting: { cause: string; table_id: string | null }): string {
  const what = sayOf('posting', posting.cause);
  return posting.table_id === null ? what : say('posting.at_table', { what, table: posting.table_id });
}
