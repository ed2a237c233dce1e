/* Taking a seat from the lobby: the gold button, the tiles, and the rooms share this state, so that only
 * one seat is taken at a time. */
import { api, idempotencyKey, need, sentence, type Room, type SeatTicket } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';
import { keepGame, keepRoom, ROOM_GAME, withFriend } from './choices';
import { lobby } from './lobby.svelte';
import { quickGame, sitDown } from './seat';
import { nextGame, type NextGame } from './next-game';

const seatIn = (room: string) =>
  need(api.POST('/v1/rooms/{room}/seats', { params: { path: { room }, header: idempotencyKey() } }));
const seatAt = (table: string) =>
  need(api.POST('/v1/tables/{table}/seats', { params: { path: { table }, header: idempotencyKey() } }));

export class Seating {
  rooms = $state.raw<Room[]>([]);
  /** The variant or the room whose seat is being taken; empty: none. */
  busy = $state('');
  problem = $state('');

  way(variant: string): NextGame {
    const tables = lobby.stale ? [] : (lobby.picture?.tables ?? []);
    const { wallet } = session;
    return nextGame(variant, this.rooms, tables, wallet && wallet.silver + wallet.gold);
  }

  /** Starts a game of this variant in the way that the tile shows. */
  play(variant: string): Promise<void> {
    const way = this.way(variant);
    if (way.to === 'room') return this.sit(way.room.id);
    return this.take(variant, async () => {
      keepGame(variant);
      /* If another player took the seat first, play against bots. */
      const seat = way.to === 'table' ? await seatAt(way.table.id).catch(() => null) : null;
      return seat ?? quickGame(variant);
    });
  }

  sit(room: string): Promise<void> {
    return this.take(room, async () => {
      const seat = await seatIn(room);
      keepRoom(room);
      keepGame(ROOM_GAME);
      return seat;
    });
  }

  /** Opens a private table for the last game played, with a link for a friend. */
  invite(): Promise<void> {
    return this.take('friend', () =>
      need(api.POST('/v1/tables', { body: withFriend(), params: { header: idempotencyKey() } })),
    );
  }

  private async take(what: string, seat: () => Promise<SeatTicket>): Promise<void> {
    this.busy = what;
    this.problem = '';
    try {
      sitDown(await seat());
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.busy = '';
    }
  }
}
