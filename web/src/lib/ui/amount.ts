/* Numbers as people read them, in the language of the page. */
import { number } from '$lib/messages/format';

const LONG = 10_000; // from here on the digits stand in groups

/** "1234", "12,345", "+5" where the sign is wanted, with a real minus. Words stay as they are. */
export function amountSaid(amount: number | string, signed = false): string {
  if (typeof amount === 'string') return amount.replace('-', '−');
  const text = Math.abs(amount) >= LONG ? number(amount) : String(amount);
  return `${signed && amount > 0 ? '+' : ''}${text.replace('-', '−')}`;
}

/** "×1.5" of what the server writes as "1.5". */
export function factor(tenths: string): string {
  return `×${number(Number(tenths), { minimumFractionDigits: 1 })}`;
}

/** An amount in the smallest unit of its currency, in the reader's way of writing money. */
export function money(amount: number, currency: string): string {
  const style = { style: 'currency', currency: currency.toUpperCase() } as const;
  const digits = new Intl.NumberFormat('en', style).resolvedOptions().maximumFractionDigits ?? 2;
  return number(amount / 10 ** digits, style);
}

/** Parts in a hundred, whole ones unless digits are wanted; nothing of nothing is a dash. */
export function percent(part: number, whole: number, digits = 0): string {
  return whole > 0 ? number(part / whole, { style: 'percent', maximumFractionDigits: digits }) : '–';
}
