/* Takes seats and opens their tables. */
import { api, idempotencyKey, need, type SeatTicket } from '$lib/api/client';
import { router } from '$lib/router.svelte';
import { keepTicket } from '$lib/table/tickets';
import { againstBots, choiceOf, roomOf, withFriend } from './choices';

/** instead: whether to replace the current page in the history. */
export function sitDown(seat: SeatTicket, instead = false): void {
  keepTicket(seat);
  router.go(`/table/${seat.table_id}`, instead);
}

/** Opens a private table with the last choices, invites a friend, and sits down. */
export async function playWith(player: string): Promise<void> {
  const params = { header: idempotencyKey() };
  const seat = await need(api.POST('/v1/tables', { body: withFriend(), params }));
  const path = { player, table: seat.table_id };
  await need(api.PUT('/v1/friends/{player}/tables/{table}', { params: { path } }));
  sitDown(seat);
}

/** Starts a game at once: this variant against bots, or the room chosen last. */
export async function quickGame(variant = ''): Promise<SeatTicket> {
  const header = idempotencyKey();
  if (variant)
    return need(
      api.POST('/v1/tables', { body: againstBots(variant, choiceOf(variant)), params: { header } }),
    );
  const { items } = await need(api.GET('/v1/rooms'));
  const room = roomOf(items.filter((r) => r.unlocked).map((r) => r.id));
  return need(api.POST('/v1/rooms/{room}/seats', { params: { path: { room }, header } }));
}
