/* Tickets for the seat at a table that are there before its page is: of a seat that was just taken, or asked for while the
 * files of the table are on their way. Each is good for one connection. */
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

/** The table's page is about to open; its line opens now. What was refused by then is asked for by it once more: somebody
 * else may be logged in. */
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
