/* What is said of the lobby's tables and people. Pure. */
import type { LobbyTable, Picture, WireFriend } from '@rummyd/client';

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
