/* A player's week: its dates, and the page's suggestions. Pure. */
import type { components } from '@rummyd/client';
import { say } from '$lib/messages/messages';

export type Week = components['schemas']['Week'];

const DAY_MS = 86_400_000;

/** The ISO week of a day in UTC: "2026-W48". */
export function weekOf(at: Date): string {
  const day = new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
  const thursday = new Date(day.getTime() + (3 - ((day.getUTCDay() + 6) % 7)) * DAY_MS);
  const first = Date.UTC(thursday.getUTCFullYear(), 0, 1);
  const number = 1 + Math.floor((thursday.getTime() - first) / (7 * DAY_MS));
  return `${thursday.getUTCFullYear()}-W${String(number).padStart(2, '0')}`;
}

/** The week in an address, or empty if there is none. */
export function askedWeek(search: string): string {
  const week = new URLSearchParams(search).get('week') ?? '';
  return /^\d{4}-W\d{2}$/.test(week) ? week : '';
}

export interface Proposal {
  text: string;
  href: string;
}

/** The page's suggestion. Whatever expires first takes precedence. */
export function proposed(week: Week, me: string): Proposal {
  const running = week.next === null;
  if (week.daily_streak_days > 0)
    return { text: say('week.then.daily', { n: week.daily_streak_days }), href: '/daily' };
  if (running && week.games === 0) return { text: say('week.then.play'), href: '/' };
  const at = week.friends.findIndex((friend) => friend.player_id === me);
  const ahead = week.friends
    .slice(0, Math.max(0, at))
    .filter(({ wins }) => wins > week.wins)
    .at(-1);
  if (running && ahead)
    return { text: say('week.then.friend', { who: ahead.nickname, n: ahead.wins - week.wins }), href: '/' };
  const left = (week.level_points_needed ?? 0) - week.level_points;
  if (left > 0) return { text: say('week.then.level', { n: left, level: week.level + 1 }), href: '/' };
  return { text: say('week.then.play'), href: '/' };
}
