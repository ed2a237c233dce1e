/* What the operators' page says: a message file of its own, in English, for players never load it. */
import words from 'virtual:messages/admin';
import type { Values } from '$lib/messages/catalog';
import type en from '../messages/en.json';

export type Word = keyof typeof en;

/** A sentence with its values in their places. */
export function word(key: Word, values: Values = {}): string {
  return wordOr(key, key, values);
}

/** The same of a key that is made from data; `or` where there is none: codes say much by themselves. */
export function wordOr(key: string, or: string, values: Values = {}): string {
  const message = words[key];
  if (message === undefined) return or;
  return typeof message === 'string' ? message : message(values);
}
