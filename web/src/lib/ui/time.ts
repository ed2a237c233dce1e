/* Times of the server (RFC 3339, UTC) in the reader's own words. */

const DAY = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short' });
const TIME = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });

export function day(at: string): string {
  return DAY.format(new Date(at));
}

export function timeOfDay(at: string): string {
  return TIME.format(new Date(at));
}

/** "3 min" between two times. */
export function lasted(from: string, to: string): string {
  const minutes = Math.round((Date.parse(to) - Date.parse(from)) / 60_000);
  return minutes < 1 ? 'under a minute' : `${minutes} min`;
}

export function place(n: number): string {
  return ['', '1st', '2nd', '3rd'][n] ?? `${n}th`;
}
