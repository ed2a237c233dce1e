/* Numbers as people read them. Pure. */

const GROUPED = new Intl.NumberFormat('en');
const LONG = 10_000; // from here on the digits stand in groups

/** "1234", "12,345", "+5" where the sign is wanted, with a real minus. Words stay as they are. */
export function amountSaid(amount: number | string, signed = false): string {
  const text =
    typeof amount === 'number' && Math.abs(amount) >= LONG ? GROUPED.format(amount) : String(amount);
  return `${signed && typeof amount === 'number' && amount > 0 ? '+' : ''}${text.replace('-', '−')}`;
}
