/* Texts of the operators' page: a separate message file, in English, because players never load it. */
import words from 'virtual:messages/admin';
import type { Values } from '$lib/messages/catalog';
import type en from '../messages/en.json';

export type Word = keyof typeof en;

/** A sentence with its values filled in. */
export function word(key: Word, values: Values = {}): string {
  return wordOr(key, key, values);
}

/** The same for a key built from data. If there is no such key, returns `or`, because codes are often clear
 * by themselves. */
export function wordOr(key: string, or: string, values: Values = {}): string {
  const message = words[key];
  if (message === undefined) return or;
  return typeof message === 'string' ? message : message(values);
}
