/* Creating, changing, testing, and removing webhooks. */
import type { Action, Shown } from './actions.svelte';
import type { Field } from './form';
import { api, need, type Schemas } from './operator.svelte';
import { word } from './words';

type Webhook = Schemas['Webhook'];

/* The events listed in the API contract; the compiler checks that they match. */
const EVENTS = [
  'order.paid',
  'order.refunded',
  'order.disputed',
  'player.banned',
  'player.unbanned',
  'player.deleted',
  'report.opened',
  'season.closed',
] as const satisfies readonly Schemas['WebhookEvent'][];

const URL_MAX = 500;
const secretOf = (made: Schemas['WebhookWithSecret']): readonly Shown[] => [
  { label: word('field.secret'), value: made.secret, secret: true },
];

const fieldsOf = (hook?: Webhook): Field[] => [
  {
    kind: 'text',
    name: 'url',
    label: word('field.url'),
    hint: word('hint.url'),
    max: URL_MAX,
    value: hook?.url,
  },
  { kind: 'many', name: 'events', label: word('field.events'), of: EVENTS, value: hook?.events },
];

export function makeWebhookAction(done: () => void): Action {
  return {
    needs: 'make_webhook',
    name: 'act.make_webhook',
    about: word('about.make_webhook'),
    fields: fieldsOf(),
    run: (body, header) =>
      need(
        api.POST('/v1/admin/webhooks', {
          params: { header },
          body: body as unknown as Schemas['WebhookRequest'],
        }),
      ),
    shows: secretOf,
    done,
  };
}

export interface WebhookDone {
  changed(hook: Webhook): void;
  pinged(): void;
  removed(): void;
}

export function webhookActions(hook: Webhook, { changed, pinged, removed }: WebhookDone): readonly Action[] {
  const path = { webhook: hook.id };
  return [
    {
      needs: 'change_webhook',
      name: 'act.edit',
      about: word('about.edit_webhook'),
      patch: true,
      fields: [
        ...fieldsOf(hook),
        { kind: 'flag', name: 'active', label: word('field.active'), value: hook.active },
      ],
      run: (body) =>
        need(
          api.PATCH('/v1/admin/webhooks/{webhook}', {
            params: { path },
            body: body as Schemas['WebhookChange'],
          }),
        ),
      done: changed,
    },
    {
      needs: 'ping_webhook',
      name: 'act.ping',
      about: word('about.ping'),
      run: (_body, header) =>
        need(api.POST('/v1/admin/webhooks/{webhook}/ping', { params: { path, header }, body: {} })),
      done: pinged,
    },
    {
      needs: 'new_webhook_secret',
      name: 'act.new_secret',
      about: word('about.new_secret'),
      grave: true,
      run: (_body, header) =>
        need(api.POST('/v1/admin/webhooks/{webhook}/secret', { params: { path, header }, body: {} })),
      shows: secretOf,
    },
    {
      needs: 'remove_webhook',
      name: 'act.remove_webhook',
      about: word('about.remove_webhook', { url: hook.url }),
      grave: true,
      run: () => need(api.DELETE('/v1/admin/webhooks/{webhook}', { params: { path } })),
      done: removed,
    },
  ];
}

export function redeliverAction(webhook: string, delivery: string, done: () => void): Action {
  return {
    needs: 'redeliver',
    name: 'act.redeliver',
    about: word('about.redeliver'),
    run: (_body, header) =>
      need(
        api.POST('/v1/admin/webhooks/{webhook}/deliveries/{delivery}/redeliver', {
          params: { path: { webhook, delivery }, header },
          body: {},
        }),
      ),
    done,
  };
}
