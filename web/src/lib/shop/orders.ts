/* Orders of the shop, in words. Pure. */
import type { components } from '@rummyd/client';
import { sayOf } from '$lib/messages/messages';

export type Order = components['schemas']['Order'];

const ORDER_WORDS: Record<Order['state'], string> = {
  created: 'Not at the payment page yet',
  pending: 'Waiting for the payment',
  paid: 'Paid',
  failed: 'Failed',
  expired: 'Expired',
  refunded: 'Money returned',
  refunding: 'Refund on its way',
  disputed: 'In dispute',
  charged_back: 'Charged back',
};

/** What became of an order, why where the state does not tell, and of its gold where it went back. */
export function orderSaid(order: Order): string {
  const back = order.gold_back > 0 ? [`${order.gold_back} gold taken back`] : [];
  const short = order.gold_short > 0 ? [`${order.gold_short} gold short`] : [];
  const why = order.why === null || order.why === order.state ? [] : [sayOf('order', order.why)];
  return [ORDER_WORDS[order.state], ...why, ...back, ...short].join(' · ');
}
