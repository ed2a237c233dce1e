/* Tickets for a table that are obtained before its page is loaded, for a seat that was just taken or while
 * the files of the table load. Each is valid for one connection. */
import { SocketAhead } from '@rummyd/client';
import { api, idempotencyKey, need, type SeatTicket } from '$lib/api/client';

type Ticket = SeatTicket & { ahead?: SocketAhead };

const kept = new Map<string, Promise<Ticket>>();

export function askTicket(table: string, signal?: AbortSignal): Promise<SeatTicket> {
  const params = { path: { table }, header: idempotencyKey() };
  return need(api.POST('/v1/tables/{table}/tickets', { params, ...(signal && { signal }) }));
}

export function keepTicket(seat: SeatTicket): void {
  kept.set(seat.table_id, Promise.resolve(seat));
}

/** Opens the connection of a table whose page is about to open. If this fails, the page requests a ticket
 * again, because another player may be signed in by then. */
export function ticketAhead(table: string): void {
  const asked = askTicket(table).then((seat) => ({ ...seat, ahead: new SocketAhead(seat) }));
  asked.catch(() => kept.delete(table));
  kept.set(table, asked);
}

export function takeTicket(table: string): Promise<Ticket> | undefined {
  const ticket = kept.get(table);
  kept.delete(table);
  return ticket;
}
