/* What the lobby's socket tells, put together: the whole picture, then what is new of it. Pure. */
import type { LobbyRoom, LobbyTable, WireFriend, WireLobby } from '@rummyd/client';

export interface Picture {
  rooms: LobbyRoom[];
  tables: LobbyTable[];
  online: number;
  playing: number;
}

function put<T extends { id: string }>(old: readonly T[], news: readonly T[]): T[] {
  const kept = old.map((o) => news.find((n) => n.id === o.id) ?? o);
  return [...kept, ...news.filter((n) => !old.some((o) => o.id === n.id))];
}

/** Those that wait come first, then the newest. */
function ordered(tables: LobbyTable[]): LobbyTable[] {
  const waits = (t: LobbyTable) => (t.state === 'waiting' ? 0 : 1);
  return tables.sort((a, b) => waits(a) - waits(b) || Number(b.id) - Number(a.id));
}

export function whole({ rooms, tables, online, playing }: WireLobby): Picture {
  return { rooms, tables: ordered([...tables]), online, playing };
}

export function changed(old: Picture, news: WireLobby & { gone: string[] }): Picture {
  const tables = put(old.tables, news.tables).filter((t) => !news.gone.includes(t.id));
  const { online, playing } = news;
  return { rooms: put(old.rooms, news.rooms), tables: ordered(tables), online, playing };
}

/** Who sits at a table; of one that waits, what a newcomer gets there: a bot gives way to a person. */
export function seated(table: LobbyTable): string {
  const { people, bots, seats } = table;
  const count = (n: number, one: string) => `${n} ${n === 1 ? one : `${one}s`}`;
  const who = bots > 0 ? `${count(people, 'player')} and ${count(bots, 'bot')}` : count(people, 'player');
  if (table.state !== 'waiting') return who;
  const free = seats - people - bots;
  return `${who}, ${free > 0 ? `${count(free, 'seat')} free` : 'a bot makes room for you'}`;
}

/** What a friend does, and where one could join them. */
export function whereabouts(
  friend: WireFriend,
  picture: Picture | null,
): { text: string; way: 'sit' | 'watch' | null } {
  if (friend.state === 'lobby') return { text: 'looks for a table', way: null };
  const table = picture?.tables.find((t) => t.id === friend.table_id);
  const text = friend.state === 'waiting' ? 'waits at a table' : 'plays';
  if (!friend.table_id) return { text: `${text}, in private`, way: null };
  if (friend.state === 'playing') return { text, way: table?.watch === false ? null : 'watch' };
  return { text, way: table?.room === null ? 'sit' : null };
}
