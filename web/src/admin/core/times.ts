/* Times and durations as in logs: UTC, year first. Pure. */

/** "2026-11-22 11:12:05"; a dash for none. */
export function at(time: string | null | undefined): string {
  return time ? time.slice(0, 19).replace('T', ' ') : '–';
}

/** "2 d 3 h", "4 min", "12 s". */
export function span(seconds: number): string {
  const [d, h, m] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  if (d > 0) return h % 24 ? `${d} d ${h % 24} h` : `${d} d`;
  if (h > 0) return m % 60 ? `${h} h ${m % 60} min` : `${h} h`;
  return m > 0 ? `${m} min` : `${Math.round(seconds)} s`;
}

/** Converts a typed or picked UTC time to the server's format; a date means its start. '' if it is
 * invalid. */
export function timeOf(typed: string): string {
  const text = typed.trim().replace(' ', 'T');
  const whole = /^\d{4}-\d{2}-\d{2}$/.test(text)
    ? `${text}T00:00:00`
    : /T\d{2}:\d{2}$/.test(text)
      ? `${text}:00`
      : text;
  return whole === '' ? '' : /Z$/.test(whole) ? whole : `${whole}Z`;
}
