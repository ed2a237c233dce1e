/* Orders of the shop, in words. Pure. */
import type { components } from '$lib/api/schema';

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

/** What became of an order, and of its gold where it went back. */
export function orderSaid(order: Order): string {
  const back = order.gold_back > 0 ? [`${order.gold_back} gold taken back`] : [];
  const short = order.gold_short > 0 ? [`${order.gold_short} gold short`] : [];
  return [ORDER_WORDS[order.state], ...back, ...short].join(' · ');
}
