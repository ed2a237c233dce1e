/* A seat was taken: its table opens. */
import type { SeatTicket } from '$lib/api/client';
import { router } from '$lib/router.svelte';
import { keepTicket } from '$lib/table/game.svelte';

/** instead: the page that is shown now is not to be come back to. */
export function sitDown(seat: SeatTicket, instead = false): void {
  keepTicket(seat);
  router.go(`/table/${seat.table_id}`, instead);
}
