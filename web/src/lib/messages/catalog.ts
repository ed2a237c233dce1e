/* What a message file is compiled to (scripts/messages/plugin.ts), and the names of its messages. */
import type en from './en.json';

export type MessageKey = keyof typeof en;

/** What fills the places of a message. */
export type Values = Record<string, string | number | boolean>;

/** A sentence without places is itself. */
export type Message = string | ((values: Values) => string);

export type Catalog = Readonly<Partial<Record<string, Message>>>;
