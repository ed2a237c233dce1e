/* Formatted numbers in the language of the page. */
import { number } from '$lib/messages/format';

const LONG = 10_000; // digits of larger numbers are grouped

/** "1234" or "12,345", or "+5" if `signed`. Uses a real minus sign. Text remains text. */
export function amountSaid(amount: number | string, signed = false): string {
  if (typeof amount === 'string') return amount.replace('-', '−');
  const text = Math.abs(amount) >= LONG ? number(amount) : String(amount);
  return `${signed && amount > 0 ? '+' : ''}${text.replace('-', '−')}`;
}

/** "×1.5" for the server's "1.5". */
export function factor(tenths: string): string {
  return `×${number(Number(tenths), { minimumFractionDigits: 1 })}`;
}

/** An amount in the smallest unit of its currency, formatted for the reader. */
export function money(amount: number, currency: string): string {
  const style = { style: 'currency', currency: currency.toUpperCase() } as const;
  const digits = new Intl.NumberFormat('en', style).resolvedOptions().maximumFractionDigits ?? 2;
  return number(amount / 10 ** digits, style);
}

/** A percentage, without decimals unless requested; a dash for zero of zero. */
export function percent(part: number, whole: number, digits = 0): string {
  return whole > 0 ? number(part / whole, { style: 'percent', maximumFractionDigits: digits }) : '–';
}
