/* Texts about the lobby's tables and players. Pure. */
import { say } from '$lib/messages/messages';
import type { LobbyTable, Picture, WireFriend } from '@rummyd/client';

/** Who sits at a table and, if it is waiting, how many seats are free. */
export function seated(table: Pick<LobbyTable, 'people' | 'bots' | 'seats' | 'state'>): string {
  const { people: n, bots, seats } = table;
  const who = bots > 0 ? say('lobby.seated.bots', { n, bots }) : say('lobby.seated', { n });
  return table.state === 'waiting' ? say('lobby.free', { who, n: Math.max(0, seats - n - bots) }) : who;
}

/** What a friend is doing, and where to join them. */
export function whereabouts(
  friend: WireFriend,
  picture: Picture | null,
): { text: string; way: 'sit' | 'watch' | null } {
  if (friend.state === 'lobby') return { text: say('friend.lobby'), way: null };
  const doing = friend.state === 'waiting' ? 'friend.waiting' : 'friend.playing';
  if (!friend.table_id) return { text: say(`${doing}.private`), way: null };
  const table = picture?.tables.find((t) => t.id === friend.table_id);
  const text = say(doing);
  if (friend.state === 'playing') return { text, way: table?.watch === false ? null : 'watch' };
  return { text, way: table?.room === null ? 'sit' : null };
}
