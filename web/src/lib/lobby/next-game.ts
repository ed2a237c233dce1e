/* How the next game of a kind would start, and who is playing it now. Pure. */
import type { Room } from '$lib/api/client';
import { say } from '$lib/messages/messages';
import type { LobbyGame, LobbyTable } from '@rummyd/client';
import { choiceOf, ROOM_GAME, roomOf, waitingFor } from './choices';

/** At a table of a room, at a table where players are waiting, or at once against bots. */
export type NextGame =
  { to: 'room'; room: Room } | { to: 'table'; table: LobbyTable } | { to: 'bots'; bots: number };

/** chips: the player's available stake; null: not known yet. */
export function nextGame(
  variant: string,
  rooms: readonly Room[],
  tables: readonly LobbyTable[],
  chips: number | null,
): NextGame {
  const unlocked = rooms.filter((r) => r.unlocked);
  const room = unlocked.find((r) => r.id === roomOf(unlocked.map(({ id }) => id)));
  if (variant === ROOM_GAME && room && (chips === null || chips >= room.stake)) return { to: 'room', room };
  const choice = choiceOf(variant);
  const table = waitingFor(variant, choice, tables);
  return table ? { to: 'table', table } : { to: 'bots', bots: choice.seats - 1 };
}

/** When the game would start, and against whom. */
export function nextGameSaid(way: NextGame): string {
  if (way.to === 'bots') return say('lobby.way.bots', { n: way.bots });
  if (way.to === 'table') return say('lobby.way.table', { n: way.table.people });
  if (!way.room.bots) return say('lobby.way.full');
  return say('lobby.way.room', { s: Math.ceil(way.room.fill_wait_ms / 1000) });
}

/** Who is playing a game now; '' if no one is. */
export function playersSaid(game: Pick<LobbyGame, 'playing' | 'waiting'> | undefined): string {
  return [
    game?.playing ? say('lobby.playing', { n: game.playing }) : '',
    game?.waiting ? say('lobby.waiting', { n: game.waiting }) : '',
  ]
    .filter((part) => part !== '')
    .join(' · ');
}
