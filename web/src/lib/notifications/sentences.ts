/* What a player is told, in sentences, and where each leads. Pure. */
import type { components } from '@rummyd/client';
import { achievementName, achievementTask } from '$lib/profile/achievements';
import { BOARDS } from '$lib/ranks/boards';
import { saySeason, type SeasonResult } from '$lib/ranks/leagues';
import { titleOf } from '$lib/ui/words';
import { rulesOf } from '$lib/rules/rules';
import { place } from '$lib/ui/time';

export type Notification = components['schemas']['NotificationPage']['items'][number];
/** As the lobby sends it: new, so unread. */
export type NewNotification = Omit<Notification, 'read' | 'kind'> & { kind: string };

export interface Said {
  text: string;
  /** Gold that came with it. */
  gold: number;
  href: string;
}

const word = (value: unknown) => (typeof value === 'string' ? value : '');
const number = (value: unknown) => (typeof value === 'number' ? value : 0);
const names = (value: unknown) => (Array.isArray(value) ? value.map((v) => titleOf(String(v))) : []);

type Data = Record<string, unknown>;
const SENTENCES: Record<string, (d: Data) => Omit<Said, 'gold'>> = {
  level: (d) => {
    const rooms = names(d['rooms']);
    const open = rooms.length > 0 ? ` Open to you now: ${rooms.join(', ')}.` : '';
    const title = word(d['title']);
    return {
      text: `You reached level ${number(d['level'])}${title ? `, ${title}` : ''}.${open}`,
      href: '/profile',
    };
  },
  season: (d) => ({
    text: `Season ${number(d['season'])} is over. ${saySeason(d as SeasonResult, titleOf)}`,
    href: '/leagues',
  }),
  league_prize: (d) => ({
    text: `${place(number(d['place']))} place in the ${titleOf(word(d['league']))} league, season ${number(d['season'])}.`,
    href: '/leagues',
  }),
  month_prize: (d) => {
    const board = BOARDS.find(([id]) => id === d['board'])?.[1] ?? titleOf(word(d['board']));
    const of = `${board} in ${rulesOf(word(d['variant'])).name}, ${word(d['month'])}`;
    return { text: `${place(number(d['place']))} place of a month: ${of}.`, href: '/leaderboards' };
  },
  achievement: (d) => {
    const task = achievementTask(word(d['counter']), number(d['goal']));
    return { text: `${achievementName(word(d['id']))}${task ? `: ${task}.` : '.'}`, href: '/profile' };
  },
  invite: (d) => ({ text: `${word(d['nickname'])}, whom you invited, came far enough.`, href: '/invites' }),
  refund: (d) => {
    const silver = number(d['silver']);
    const chips = [
      silver > 0 ? `${silver} silver` : '',
      number(d['gold']) > 0 ? `${number(d['gold'])} gold` : '',
    ];
    const back = chips.filter((c) => c).join(' and ');
    const table = `${rulesOf(word(d['variant'])).name}, table ${word(d['table_id'])}`;
    return {
      text: `${table} could not be played to its end.${back ? ` Your stake is back: ${back}.` : ''}`,
      href: '/wallet',
    };
  },
  export: () => ({ text: 'The file of your data is ready.', href: '/account' }),
  friend: (d) =>
    d['state'] === 'accepted'
      ? { text: `${word(d['nickname'])} is your friend now.`, href: `/players/${word(d['player_id'])}` }
      : { text: `${word(d['nickname'])} asks to be your friend.`, href: '/friends' },
};

export function notificationSaid({ kind, data }: { kind: string; data: unknown }): Said {
  const d = (data ?? {}) as Data;
  const said = SENTENCES[kind]?.(d) ?? { text: `${titleOf(kind)}.`, href: '/notifications' };
  return { ...said, gold: number(d['gold']) };
}

/** A new one on top of a list, once. */
export function withNew(items: readonly Notification[], notice: NewNotification): Notification[] {
  if (items.some((n) => n.id === notice.id)) return [...items];
  return [{ ...notice, kind: notice.kind as Notification['kind'], read: false }, ...items];
}

/** Read up to one: that one and all that are older. Ids count up. */
export function readUpTo(items: readonly Notification[], id: string): Notification[] {
  return items.map((n) => (n.read || BigInt(n.id) > BigInt(id) ? n : { ...n, read: true }));
}
