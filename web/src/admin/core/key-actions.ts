/* Creating, rotating, and revoking API keys. A secret is shown once. */
import type { Action, Shown } from './actions.svelte';
import { api, need, type Schemas } from './operator.svelte';
import { word } from './words';

type Key = Schemas['ApiKey'];

const ROLES = [
  'support',
  'money',
  'games',
  'jobs',
  'owner',
] as const satisfies readonly Schemas['ApiKeyRole'][];
const [DAYS, DAYS_MAX, HOURS, HOURS_MAX] = [90, 365, 24, 168];

const secretOf = ({ secret }: Schemas['ApiKeyMade']): readonly Shown[] => [
  { label: word('field.secret'), value: secret ?? word('key.shown'), secret: secret !== null },
];

export function makeKeyAction(done: () => void): Action {
  return {
    needs: 'make_key',
    name: 'act.make_key',
    about: word('about.make_key'),
    fields: [
      { kind: 'text', name: 'name', label: word('field.name'), max: 64 },
      { kind: 'choice', name: 'role', label: word('field.role'), of: ROLES },
      { kind: 'text', name: 'holder', label: word('field.holder'), hint: word('hint.holder'), max: 64 },
      {
        kind: 'number',
        name: 'days',
        label: word('field.days'),
        min: 1,
        max: DAYS_MAX,
        value: DAYS,
        optional: true,
      },
      {
        kind: 'text',
        name: 'scope',
        label: word('field.scope'),
        hint: word('hint.scope'),
        max: 500,
        optional: true,
      },
    ],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/keys', { params: { header }, body: body as unknown as Schemas['ApiKeyRequest'] }),
      ),
    shows: secretOf,
    done,
  };
}

export function keyActions(key: Key, done: () => void): readonly Action[] {
  if (key.revoked_at) return [];
  const path = { api_key: key.id };
  return [
    {
      needs: 'rotate_key',
      name: 'act.rotate_key',
      about: word('about.rotate_key', { name: key.name }),
      fields: [
        {
          kind: 'number',
          name: 'hours',
          label: word('field.old_hours'),
          min: 0,
          max: HOURS_MAX,
          value: HOURS,
        },
      ],
      run: (body, header) =>
        need(
          api.POST('/v1/admin/keys/{api_key}/rotate', {
            params: { path, header },
            body: body as Schemas['ApiKeyRotation'],
          }),
        ),
      shows: secretOf,
      done,
    },
    {
      needs: 'revoke_key',
      name: 'act.revoke_key',
      about: word('about.revoke_key', { name: key.name, holder: key.holder }),
      grave: true,
      run: (_body, header) =>
        need(api.POST('/v1/admin/keys/{api_key}/revoke', { params: { path, header }, body: {} })),
      done,
    },
  ];
}
