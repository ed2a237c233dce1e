/* Chips that operators give or take, and the decision of a second operator. */
import type { Action } from './actions.svelte';
import { api, need, type Schemas } from './operator.svelte';
import { word } from './words';

type Grant = Schemas['ChipGrant'];
type Done = (grant: Grant) => void;

const AMOUNT_MAX = 1_000_000;
export const GRANT_STATES = ['waiting', 'done', 'refused', 'lapsed'] as const;

export function grantAction(player: { id: string; nickname: string }, done: Done): Action {
  return {
    needs: 'grant',
    name: 'act.grant',
    about: word('about.grant', { nickname: player.nickname }),
    fields: [
      { kind: 'choice', name: 'currency', label: word('field.currency'), of: ['silver', 'gold'] },
      {
        kind: 'number',
        name: 'amount',
        label: word('field.amount'),
        hint: word('hint.amount'),
        min: -AMOUNT_MAX,
        max: AMOUNT_MAX,
      },
      {
        kind: 'choice',
        name: 'reason',
        label: word('field.reason'),
        of: ['goodwill', 'compensation', 'prize', 'correction'],
      },
      { kind: 'text', name: 'note', label: word('field.note'), hint: word('hint.unseen'), max: 200 },
    ],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/players/{player}/grants', {
          params: { path: { player: player.id }, header },
          body: body as Schemas['ChipGrantRequest'],
        }),
      ),
    shows: (grant: Grant) => [
      { label: word('field.state'), value: word(grant.state === 'done' ? 'grant.done' : 'grant.waiting') },
    ],
    done,
  };
}

/** Decisions on a pending grant. */
export function settleActions(grant: Grant, done: Done): readonly Action[] {
  if (grant.state !== 'waiting') return [];
  const path = { grant: grant.id };
  const values = {
    amount: grant.amount,
    currency: grant.currency,
    player: grant.player_id,
    holder: grant.holder,
  };
  return [
    {
      needs: 'approve_grant',
      name: 'act.approve',
      about: word('about.approve', values),
      run: (_body, header) =>
        need(api.POST('/v1/admin/grants/{grant}/approve', { params: { path, header }, body: {} })),
      done,
    },
    {
      needs: 'refuse_grant',
      name: 'act.refuse',
      about: word('about.refuse', values),
      grave: true,
      run: (_body, header) =>
        need(api.POST('/v1/admin/grants/{grant}/refuse', { params: { path, header }, body: {} })),
      done,
    },
  ];
}
