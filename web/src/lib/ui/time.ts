/* Server times (RFC 3339, UTC) formatted for the reader. */
import { date } from '$lib/messages/format';
import { say } from '$lib/messages/messages';

const whole = (said: string) => said.replaceAll(/\s/g, '\u00a0');

/** "Nov 24", with the year if it is not the current one. Like the time of day, it is never broken across
 * lines. */
export function day(at: string): string {
  const thisYear = new Date(at).getFullYear() === new Date().getFullYear();
  return whole(date(at, { day: 'numeric', month: 'short', ...(thisYear ? {} : { year: 'numeric' }) }));
}

export function timeOfDay(at: string): string {
  return whole(date(at, { hour: '2-digit', minute: '2-digit' }));
}

/** A weekday and a time of day, for something within a few days. */
export function moment(at: string): string {
  return date(at, { weekday: 'short', hour: '2-digit', minute: '2-digit' });
}

/** The time between two moments, such as "3 min". */
export function lasted(from: string, to: string): string {
  return say('time.minutes', { n: Math.round((Date.parse(to) - Date.parse(from)) / 60_000) });
}

/** "1st" for 1. */
export function place(n: number): string {
  return say('place', { n });
}

/** "1:05", for a countdown. */
export function minutesSaid(ms: number): string {
  const seconds = Math.ceil(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}
