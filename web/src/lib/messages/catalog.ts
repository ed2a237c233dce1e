/* The compiled form of a message file (scripts/messages/plugin.ts), and the keys of its messages. */
import type en from './en.json';

/** Messages of heads are excluded, because only the server uses them (scripts/heads). */
export type MessageKey = Exclude<keyof typeof en, `head.${string}`>;

/** The files of a language: texts of the sign-in page, texts of the lobby and a table before the first click,
 * and all others (scripts/messages/message-use.ts). */
export type Part = 'entrance' | 'first' | 'later';

/** Values for the placeholders of a message. */
export type Values = Record<string, string | number | boolean>;

/** A sentence without placeholders is a plain string. */
export type Message = string | ((values: Values) => string);

export type Catalog = Readonly<Partial<Record<string, Message>>>;
