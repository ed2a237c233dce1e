/* Numbers, times, and lists in the format of the page's language. */
import { language } from './language.svelte';

type Kind = 'number' | 'date' | 'list' | 'relative';
const made = new Map<string, unknown>();

/* Creating a formatter costs more than all of its later calls. */
function kept<T>(kind: Kind, options: object, make: (locale: string) => T): T {
  const key = `${kind} ${language.formats} ${JSON.stringify(options)}`;
  const found = (made.get(key) as T | undefined) ?? make(language.formats);
  made.set(key, found);
  return found;
}

/** With a real minus sign: some locales use a hyphen. */
export function number(n: number, options: Intl.NumberFormatOptions = {}): string {
  return kept('number', options, (locale) => new Intl.NumberFormat(locale, options))
    .format(n)
    .replace('-', '−');
}

/** A server time (RFC 3339, UTC), in the reader's time zone. */
export function date(at: string, options: Intl.DateTimeFormatOptions): string {
  return kept('date', options, (locale) => new Intl.DateTimeFormat(locale, options)).format(new Date(at));
}

/** "Mia, Karim, and Noor". */
export function list(items: readonly string[], type: 'conjunction' | 'disjunction' = 'conjunction'): string {
  return kept('list', { type }, (locale) => new Intl.ListFormat(locale, { type })).format(items);
}

/** "3 days ago", "in 2 hours": n is negative for the past. */
export function relative(n: number, unit: Intl.RelativeTimeFormatUnit): string {
  const options = { numeric: 'auto' } as const;
  return kept('relative', options, (locale) => new Intl.RelativeTimeFormat(locale, options)).format(n, unit);
}

/** "in 14 minutes" for 840 seconds, "in 24 hours" for 86,400: rounded up, never less than the time to
 * wait. */
export function waiting(seconds: number): string {
  const minutes = Math.ceil(seconds / 60);
  if (minutes < 2) return relative(seconds, 'second');
  return minutes < 60 ? relative(minutes, 'minute') : relative(Math.ceil(minutes / 60), 'hour');
}
