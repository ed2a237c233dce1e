/* Notifications as sentences, with their links. Pure. */
import type { components } from '@rummyd/client';
import { achievementTask } from '$lib/profile/achievements';
import { questTask } from '$lib/profile/quests';
import { boardName, monthName } from '$lib/ranks/boards';
import { saySeason, type SeasonResult } from '$lib/ranks/leagues';
import { list } from '$lib/messages/format';
import { say, sayOf } from '$lib/messages/messages';
import { sayAchievement, sayRoom, sayTitle, titleOf } from '$lib/messages/names';
import { rulesOf } from '$lib/rules/rules';
import { place } from '$lib/ui/time';

export type Notification = components['schemas']['NotificationPage']['items'][number];
/** As sent by the lobby; always unread. */
export type NewNotification = Omit<Notification, 'read' | 'kind'> & { kind: string };

export interface Said {
  text: string;
  /** Gold that came with the notification. */
  gold: number;
  href: string;
}

const word = (value: unknown) => (typeof value === 'string' ? value : '');
const number = (value: unknown) => (typeof value === 'number' ? value : 0);
const names = (value: unknown) => (Array.isArray(value) ? value.map((v) => sayRoom(String(v))) : []);

type Data = Record<string, unknown>;
/** Amounts of silver and gold, if any. */
const chips = (d: Data) =>
  (['silver', 'gold'] as const)
    .filter((kind) => number(d[kind]) > 0)
    .map((kind) => say(`news.${kind}`, { n: number(d[kind]) }));
const SENTENCES: Record<string, (d: Data) => Omit<Said, 'gold'>> = {
  level: (d) => {
    const rooms = names(d['rooms']);
    const title = word(d['title']);
    const said = { level: number(d['level']), title: sayTitle(title) };
    const reached = title ? say('news.level.title', said) : say('news.level', { level: said.level });
    const open = rooms.length > 0 ? [say('news.level.rooms', { rooms: list(rooms) })] : [];
    return { text: [reached, ...open].join(' '), href: '/profile' };
  },
  season: (d) => ({
    text: `${say('news.season', { n: number(d['season']) })} ${saySeason(d as SeasonResult, sayRoom)}`,
    href: '/leagues',
  }),
  league_prize: (d) => ({
    text: say('news.league_prize', {
      place: place(number(d['place'])),
      league: sayRoom(word(d['league'])),
      n: number(d['season']),
    }),
    href: '/leagues',
  }),
  month_prize: (d) => ({
    text: say('news.month_prize', {
      place: place(number(d['place'])),
      board: boardName(word(d['board'])),
      game: rulesOf(word(d['variant'])).name,
      month: monthName(word(d['month'])),
    }),
    href: '/leaderboards',
  }),
  achievement: (d) => {
    const name = sayAchievement(word(d['id']));
    const task = achievementTask(word(d['counter']), number(d['goal']));
    const text = task ? say('news.achievement', { name, task }) : say('news.plain', { what: name });
    return { text, href: '/profile' };
  },
  quest: (d) => {
    const variant = typeof d['variant'] === 'string' ? d['variant'] : null;
    const task = questTask(word(d['counter']), number(d['goal']), variant);
    return { text: say('news.quest', { task: task || word(d['id']) }), href: '/profile' };
  },
  week: (d) => ({
    text: say('news.week', { games: number(d['games']), wins: number(d['wins']) }),
    href: `/week?week=${word(d['week'])}`,
  }),
  invited: (d) => ({ text: say('news.invited', { nickname: word(d['nickname']) }), href: '/wallet' }),
  invite: (d) => ({ text: say('news.invite', { nickname: word(d['nickname']) }), href: '/invites' }),
  table_invite: (d) => ({
    text: say('news.table_invite', { nickname: word(d['nickname']), game: rulesOf(word(d['variant'])).name }),
    href: `/join/${word(d['code'])}`,
  }),
  your_turn: (d) => ({
    text: say('news.your_turn', { game: rulesOf(word(d['variant'])).name, table: word(d['table_id']) }),
    href: `/table/${word(d['table_id'])}`,
  }),
  refund: (d) => {
    const table = { game: rulesOf(word(d['variant'])).name, table: word(d['table_id']) };
    const stake = chips(d);
    const back = stake.length > 0 ? [say('news.refund.stake', { chips: list(stake) })] : [];
    return { text: [say('news.refund', table), ...back].join(' '), href: '/wallet' };
  },
  tournament_table: (d) => ({
    text: say('news.tournament_table', { name: word(d['name']), n: number(d['round']) }),
    href: `/table/${word(d['table_id'])}`,
  }),
  tournament_result: (d) => {
    const won = chips(d);
    const name = word(d['name']);
    const team = word(d['team']); /* won, lost, or level; none in a tournament without teams */
    const text = team
      ? [say('news.tournament_over', { name }), sayOf('tournament.own', team)]
      : [say('news.tournament_result', { name, place: place(number(d['place'])), n: number(d['entrants']) })];
    const prize = won.length > 0 ? [say('news.tournament_result.prize', { chips: list(won) })] : [];
    return { text: [...text, ...prize].join(' '), href: `/tournaments/${word(d['tournament_id'])}` };
  },
  tournament_cancelled: (d) => {
    const back = chips(d);
    const text = say('news.tournament_cancelled', { name: word(d['name']) });
    const paid = back.length > 0 ? [say('news.tournament_cancelled.entry', { chips: list(back) })] : [];
    return { text: [text, ...paid].join(' '), href: '/wallet' };
  },
  export: () => ({ text: say('news.export'), href: '/account' }),
  club: (d) => ({
    text: sayOf('news.club', word(d['state']), { nickname: word(d['nickname']), club: word(d['club']) }),
    href: d['state'] === 'closed' || d['state'] === 'ended' ? '/clubs' : `/clubs/${word(d['club_id'])}`,
  }),
  friend: (d) =>
    d['state'] === 'accepted'
      ? {
          text: say('news.friend.accepted', { nickname: word(d['nickname']) }),
          href: `/players/${word(d['player_id'])}`,
        }
      : { text: say('friendship.asks', { nickname: word(d['nickname']) }), href: '/friends' },
};

export function notificationSaid({ kind, data }: { kind: string; data: unknown }): Said {
  const d = (data ?? {}) as Data;
  const said = SENTENCES[kind]?.(d) ?? {
    text: say('news.plain', { what: titleOf(kind) }),
    href: '/notifications',
  };
  return { ...said, gold: number(d['gold']) };
}

/** Puts a new notification on top of the list, unless the list already contains it. */
export function withNew(items: readonly Notification[], notice: NewNotification): Notification[] {
  if (items.some((n) => n.id === notice.id)) return [...items];
  return [{ ...notice, kind: notice.kind as Notification['kind'], read: false }, ...items];
}

/** Marks a notification and all older ones as read. Ids are ascending. */
export function readUpTo(items: readonly Notification[], id: string): Notification[] {
  return items.map((n) => (n.read || BigInt(n.id) > BigInt(id) ? n : { ...n, read: true }));
}
