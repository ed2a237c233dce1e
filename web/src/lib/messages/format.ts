/* Numbers, times and lists as the language of the page writes them. */
import { language } from './language.svelte';

type Kind = 'number' | 'date' | 'list' | 'relative';
const made = new Map<string, unknown>();

/* A formatter costs more than all that it will ever write. */
function kept<T>(kind: Kind, options: object, make: (locale: string) => T): T {
  const key = `${kind} ${language.formats} ${JSON.stringify(options)}`;
  const found = (made.get(key) as T | undefined) ?? make(language.formats);
  made.set(key, found);
  return found;
}

/** With a real minus: some locales have a hyphen in its place. */
export function number(n: number, options: Intl.NumberFormatOptions = {}): string {
  return kept('number', options, (locale) => new Intl.NumberFormat(locale, options))
    .format(n)
    .replace('-', '−');
}

/** A time of the server (RFC 3339, UTC), in the reader's zone. */
export function date(at: string, options: Intl.DateTimeFormatOptions): string {
  return kept('date', options, (locale) => new Intl.DateTimeFormat(locale, options)).format(new Date(at));
}

/** "Mia, Karim and Noor". */
export function list(items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return kept('list', { type }, (locale) => new Intl.ListFormat(locale, { type })).format(items);
}

/** "3 days ago", "in 2 hours": n is negative for what is over. */
export function relative(n: number, unit: Intl.RelativeTimeFormatUnit): string {
  const options = { numeric: 'auto' } as const;
  return kept('relative', options, (locale) => new Intl.RelativeTimeFormat(locale, options)).format(n, unit);
}
