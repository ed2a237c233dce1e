import { beforeEach, expect, it, vi } from 'vitest';
import { keepTicket, takeTicket, ticketAhead } from './tickets';
import type { SeatTicket } from '$lib/api/client';

vi.mock('@rummyd/client', () => ({
  SocketAhead: class {
    constructor(readonly of: SeatTicket) {}
  },
}));

const server = vi.hoisted(() => ({ asked: 0, refuses: '' }));
const ticket = (table_id: string) => ({ table_id, ticket: 't' }) as SeatTicket;
vi.mock('$lib/api/client', () => ({
  api: {
    POST: async (_: string, { params }: { params: { path: { table: string } } }) => {
      server.asked++;
      if (server.refuses) throw new Error(server.refuses);
      return ticket(params.path.table);
    },
  },
  idempotencyKey: () => ({}),
  need: (asked: Promise<unknown>) => asked,
}));

beforeEach(() => Object.assign(server, { asked: 0, refuses: '' }));

it('a ticket is taken once, by its own table', async () => {
  keepTicket(ticket('7'));
  expect(takeTicket('8')).toBeUndefined();
  expect(await takeTicket('7')).toEqual(ticket('7'));
  expect(takeTicket('7')).toBeUndefined();
});

it('one requested early is used with its connection while it is pending', async () => {
  ticketAhead('7');
  expect(await takeTicket('7')).toEqual({ ...ticket('7'), ahead: { of: ticket('7') } });
  expect(server.asked).toBe(1);
});

it('one that was refused before it was taken is none', async () => {
  server.refuses = 'no session';
  ticketAhead('7');
  await new Promise((done) => setTimeout(done));
  expect(takeTicket('7')).toBeUndefined();
});

it('one that is refused on its way is refused to the table', async () => {
  server.refuses = 'no seat';
  ticketAhead('7');
  await expect(takeTicket('7')).rejects.toThrow('no seat');
});
