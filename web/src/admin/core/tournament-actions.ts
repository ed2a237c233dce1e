/* Announcing and canceling tournaments. */
import type { Action } from './actions.svelte';
import { REASON } from './fields';
import type { Body, Field } from './form';
import { api, need, type Schemas } from './operator.svelte';
import { timeOf } from './times';
import { TOURNAMENT_KINDS } from './tournament-columns';
import { word } from './words';

const [ENTRY_MAX, ENTRIES_MAX, ROUNDS_MAX] = [1_000_000, 10_000, 30];
const [DAY_S, HOUR_S] = [86_400, 3600];

const number = (name: string, label: string, min: number, max: number, value?: number): Field => ({
  kind: 'number',
  name,
  label,
  min,
  max,
  value,
  optional: value === undefined,
});

/** Choices; empty until they are loaded. */
export interface Choice {
  variants(): readonly string[];
  prizeTables(): readonly string[];
}

/* Fields that do not apply to a kind stay empty; the server rejects each of them by name. */
const fieldsOf = (choice: Choice): readonly Field[] => [
  { kind: 'text', name: 'name', label: word('field.name'), max: 60 },
  { kind: 'choice', name: 'kind', label: word('field.kind'), of: TOURNAMENT_KINDS },
  {
    kind: 'text',
    name: 'variant',
    label: word('field.variant'),
    max: 32,
    value: 'rummy51',
    among: choice.variants,
  },
  {
    kind: 'members',
    name: 'options',
    label: word('field.options'),
    hint: word('hint.options'),
    max: 200,
    optional: true,
  },
  number('seats', word('field.table_seats'), 2, 6, 4),
  number('advance', word('field.advance'), 1, 5),
  number('keep_percent', word('field.keep_percent'), 10, 75),
  number('rounds', word('field.rounds'), 1, ROUNDS_MAX),
  number('entry', word('field.entry'), 0, ENTRY_MAX, 20),
  {
    kind: 'text',
    name: 'prize_table',
    label: word('field.prize_table'),
    hint: word('hint.prize_table'),
    max: 32,
    optional: true,
    among: choice.prizeTables,
  },
  {
    ...number('entries_max', word('field.entries_max'), 2, ENTRIES_MAX, 8),
    hint: word('hint.entries_max'),
  },
  { ...number('entries_min', word('field.entries_min'), 0, ENTRIES_MAX), hint: word('hint.entries_min') },
  number('bots_to', word('field.bots_to'), 0, ENTRIES_MAX),
  {
    kind: 'choice',
    name: 'bot_level',
    label: word('field.bot_level'),
    of: ['easy', 'medium', 'strong', 'master'],
    optional: true,
  },
  {
    kind: 'text',
    name: 'starts_at',
    label: word('field.starts_utc'),
    hint: word('hint.starts_at'),
    max: 30,
    optional: true,
  },
  number('late_s', word('field.late'), 0, DAY_S),
  { ...number('wait_s', word('field.wait'), 0, HOUR_S), hint: word('hint.wait') },
  number('break_s', word('field.break'), 0, DAY_S),
  {
    kind: 'flag',
    name: 'duplicate',
    label: word('field.duplicate'),
    hint: word('hint.duplicate'),
    value: false,
  },
];

/* Omitted rather than false, because a team match is always a duplicate. */
const asked = ({ duplicate, ...body }: Body): Body => ({
  ...body,
  ...(duplicate === true ? { duplicate } : {}),
  ...(typeof body['starts_at'] === 'string' ? { starts_at: timeOf(body['starts_at']) } : {}),
});

export function announceAction(choice: Choice, done: () => void): Action {
  return {
    needs: 'make_tournament',
    name: 'act.announce',
    about: word('about.announce'),
    fields: fieldsOf(choice),
    run: (body, header) =>
      need(
        api.POST('/v1/admin/tournaments', {
          params: { header },
          body: asked(body) as unknown as Schemas['TournamentRequest'],
        }),
      ),
    done,
  };
}

/** Entry fees are refunded; running tables end without a result. */
export function callOffAction({ id, name }: { id: string; name: string }, done: () => void): Action {
  return {
    needs: 'cancel_tournament',
    name: 'act.call_off',
    about: word('about.call_off', { name }),
    grave: true,
    fields: [REASON],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/tournaments/{tournament}/cancel', {
          params: { path: { tournament: id }, header },
          body: body as Schemas['ReasonRequest'],
        }),
      ),
    done,
  };
}
