/* Columns of tables. */
import { addressOf } from './addresses';
import type { Column } from './columns';
import type { Schemas } from './operator.svelte';
import { at } from './times';
import { word } from './words';

type Table = Schemas['AdminTable'];

export const TABLE_STATES = ['waiting', 'playing', 'lost', 'finished', 'cancelled'] as const;

/** Players at the table; bots have no player id. */
export function peopleAt(table: Table): string {
  return table.seats.map((seat) => (seat.player_id ? seat.nickname : word('table.bot'))).join(', ');
}

export const TABLE_COLUMNS: readonly Column<Table>[] = [
  { label: word('field.id'), text: (table) => table.id, link: (table) => addressOf('tables', table.id) },
  {
    label: word('field.state'),
    text: (table) => table.state,
    tone: (table) => (table.state === 'lost' ? 'bad' : ''),
  },
  { label: word('field.variant'), text: (table) => table.variant },
  { label: word('field.room'), text: (table) => table.room ?? '–' },
  { label: word('field.stake'), text: (table) => String(table.stake), number: true },
  { label: word('field.seats'), text: peopleAt },
  { label: word('field.node'), text: (table) => table.node },
  { label: word('field.created'), text: (table) => at(table.created_at) },
  { label: word('field.ended'), text: (table) => at(table.ended_at) },
];
