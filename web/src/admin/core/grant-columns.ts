/* Columns of grants, on the page of grants and on the page of a player. */
import { addressOf } from './addresses';
import type { Column } from './columns';
import type { Schemas } from './operator.svelte';
import { at } from './times';
import { word } from './words';

export const GRANT_COLUMNS: readonly Column<Schemas['ChipGrant']>[] = [
  { label: word('field.at'), text: (grant) => at(grant.at) },
  {
    label: word('field.player'),
    text: (grant) => grant.player_id,
    link: (grant) => addressOf('players', grant.player_id),
  },
  { label: word('field.amount'), text: (grant) => `${grant.amount} ${grant.currency}`, number: true },
  { label: word('field.reason'), text: (grant) => grant.reason },
  { label: word('field.note'), text: (grant) => grant.note },
  { label: word('field.asked_by'), text: (grant) => `${grant.holder} (${grant.key})` },
  {
    label: word('field.state'),
    text: (grant) => grant.state,
    tone: (grant) => (grant.state === 'waiting' ? 'bad' : ''),
  },
  {
    label: word('field.settled'),
    text: (grant) =>
      grant.settled_at ? `${at(grant.settled_at)} ${grant.settled_by ?? ''}` : at(grant.lapses_at),
  },
];
