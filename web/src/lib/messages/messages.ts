/* Sentences for people, by key: the server answers with codes and data, a language is a file of sentences beside the English one. */
import en from './en.json';

type Values = Record<string, string | number>;

const sentences: Record<string, string> = en;

/** The sentence of a key with its values in place of {name}; `or` where there is none. */
export function sayOr(key: string, or: string, values: Values = {}): string {
  const sentence = sentences[key];
  if (sentence === undefined) return or;
  return sentence.replace(/\{(\w+)\}/g, (hole, name: string) => String(values[name] ?? hole));
}

/** The same; the last part of a key that is not known. */
export function say(key: string, values: Values = {}): string {
  return sayOr(key, key.slice(key.lastIndexOf('.') + 1), values);
}

/** What a posting was for. */
export function sayPosting(posting: { cause: string; table_id: string | null }): string {
  const what = say(`posting.${posting.cause}`);
  return posting.table_id === null ? what : say('posting.at_table', { what, table: posting.table_id });
}
