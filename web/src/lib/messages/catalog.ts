/* The compiled form of a message file (scripts/messages/plugin.ts), and the keys of its messages. */
import type en from './en.json';

export type MessageKey = keyof typeof en;

/** Values for the placeholders of a message. */
export type Values = Record<string, string | number | boolean>;

/** A sentence without placeholders is a plain string. */
export type Message = string | ((values: Values) => string);

export type Catalog = Readonly<Partial<Record<string, Message>>>;
