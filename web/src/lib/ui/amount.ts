/* Numbers as people read them. Pure. */

const GROUPED = new Intl.NumberFormat('en');
const LONG = 10_000; // from here on the digits stand in groups

/** "1234", "12,345", "+5" where the sign is wanted, with a real minus. Words stay as they are. */
export function amountSaid(amount: number | string, signed = false): string {
  const text =
    typeof amount === 'number' && Math.abs(amount) >= LONG ? GROUPED.format(amount) : String(amount);
  return `${signed && typeof amount === 'number' && amount > 0 ? '+' : ''}${text.replace('-', '−')}`;
}

/** An amount in the smallest unit of its currency, in the reader's way of writing money. */
export function money(amount: number, currency: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: currency.toUpperCase() });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** A whole number of parts in a hundred; nothing of nothing is a dash. */
export function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((100 * part) / whole)} %` : '–';
}
