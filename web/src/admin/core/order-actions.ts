/* Columns of orders, and refunds. */
import { money } from '$lib/ui/amount';
import type { Action } from './actions.svelte';
import { addressOf } from './addresses';
import type { Column } from './columns';
import { NOTE, REASON } from './fields';
import { api, need, type Schemas } from './operator.svelte';
import { at } from './times';
import { word } from './words';

type Item = Schemas['AdminOrderItem'];

export const ORDER_STATES = [
  'created',
  'pending',
  'paid',
  'failed',
  'expired',
  'refunding',
  'refunded',
  'disputed',
  'charged_back',
] as const;
/** Orders in these states can be refunded. */
const REFUNDABLE: readonly string[] = ['paid', 'refunding'];

export const priceOf = (order: Pick<Item, 'amount' | 'currency'>): string =>
  money(order.amount, order.currency);

export const ORDER_COLUMNS: readonly Column<Item>[] = [
  { label: word('field.id'), text: (order) => order.id, link: (order) => addressOf('orders', order.id) },
  {
    label: word('field.state'),
    text: (order) => order.state,
    tone: (order) =>
      order.state === 'paid'
        ? 'good'
        : order.state === 'disputed' || order.state === 'charged_back'
          ? 'bad'
          : '',
  },
  {
    label: word('field.player'),
    text: (order) => order.player_id,
    link: (order) => addressOf('players', order.player_id),
  },
  { label: word('field.pack'), text: (order) => order.pack },
  { label: word('field.price'), text: priceOf, number: true },
  { label: word('field.provider'), text: (order) => order.provider },
  { label: word('field.created'), text: (order) => at(order.created_at) },
  { label: word('field.paid'), text: (order) => at(order.paid_at) },
];

export function refundActions(order: Item, done: (order: Schemas['AdminOrder']) => void): readonly Action[] {
  if (!REFUNDABLE.includes(order.state)) return [];
  return [
    {
      needs: 'refund',
      name: 'act.refund',
      about: word('about.refund', { price: priceOf(order), gold: order.gold, provider: order.provider }),
      grave: true,
      fields: [REASON],
      run: (body, header) =>
        need(
          api.POST('/v1/admin/orders/{order}/refund', {
            params: { path: { order: order.id }, header },
            body: body as Schemas['RefundRequest'],
          }),
        ),
      done,
    },
  ];
}

export function settleFlagAction(id: string, done: () => void): Action {
  return {
    needs: 'settle_flag',
    name: 'act.settle_flag',
    about: word('about.settle_flag'),
    fields: [NOTE],
    run: (body, header) =>
      need(
        api.POST('/v1/admin/flags/{flag}/settle', {
          params: { path: { flag: id }, header },
          body: body as Schemas['NoteRequest'],
        }),
      ),
    done,
  };
}
