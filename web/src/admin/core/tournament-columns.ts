/* Columns of tournaments and their entries. */
import { addressOf } from './addresses';
import type { Column } from './columns';
import type { Schemas } from './operator.svelte';
import { at } from './times';
import { word } from './words';

type Tournament = Schemas['Tournament'];
type Entry = Schemas['AdminTournamentEntryPage']['items'][number];

export const TOURNAMENT_STATES = ['open', 'running', 'ended', 'cancelled'] as const;
export const TOURNAMENT_KINDS = ['knockout', 'stages', 'swiss', 'teams'] as const;

/** "5 of 8", and the number of bots that fill the rest. */
export const entrantsOf = (cup: Tournament): string =>
  word(cup.bots > 0 ? 'tournament.entrants_bots' : 'tournament.entrants', {
    people: cup.people,
    most: cup.entries_max,
    bots: cup.bots,
  });

export const startOf = (cup: Tournament): string =>
  cup.starts_at ? at(cup.starts_at) : word('tournament.sit_and_go');

export const TOURNAMENT_COLUMNS: readonly Column<Tournament>[] = [
  { label: word('field.id'), text: (cup) => cup.id, link: (cup) => addressOf('tournaments', cup.id) },
  { label: word('field.name'), text: (cup) => cup.name },
  {
    label: word('field.state'),
    text: (cup) => cup.state,
    tone: (cup) => (cup.state === 'running' ? 'good' : cup.state === 'cancelled' ? 'bad' : ''),
  },
  { label: word('field.kind'), text: (cup) => cup.kind },
  { label: word('field.variant'), text: (cup) => `${cup.variant}, ${cup.seats}` },
  { label: word('field.entry'), text: (cup) => String(cup.entry), number: true },
  { label: word('field.entrants'), text: entrantsOf },
  { label: word('field.starts'), text: startOf },
  { label: word('field.ended'), text: (cup) => at(cup.ended_at) },
];

const chips = (silver: number, gold: number): string => word('tournament.chips', { silver, gold });

export const ENTRY_COLUMNS: readonly Column<Entry>[] = [
  { label: word('field.entry_no'), text: (entry) => String(entry.entry), number: true },
  {
    label: word('field.player'),
    text: (entry) => (entry.bot ? word('tournament.bot', { name: entry.nickname }) : entry.nickname),
    link: (entry) => (entry.player_id ? addressOf('players', entry.player_id) : undefined),
  },
  { label: word('field.team'), text: (entry) => String(entry.team ?? '–'), number: true },
  { label: word('field.entered'), text: (entry) => at(entry.entered_at) },
  { label: word('field.paid_chips'), text: (entry) => (entry.bot ? '–' : chips(entry.silver, entry.gold)) },
  {
    label: word('field.back'),
    text: (entry) => word(entry.back ? 'tournament.back' : 'tournament.not_back'),
  },
  { label: word('field.out_round'), text: (entry) => String(entry.out_round ?? '–'), number: true },
  { label: word('field.place'), text: (entry) => String(entry.place ?? '–'), number: true },
  {
    label: word('field.prize'),
    text: (entry) =>
      entry.prize_silver + entry.prize_gold > 0 ? chips(entry.prize_silver, entry.prize_gold) : '–',
  },
];
