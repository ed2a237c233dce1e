/* Orders of the shop, in words. Pure. */
import type { components } from '@rummyd/client';
import { say, sayOf } from '$lib/messages/messages';

export type Order = components['schemas']['Order'];

/** State of an order, with the reason if the state does not imply it, and what happened to its gold if it
 * was taken back. */
export function orderSaid(order: Order): string {
  const back = order.gold_back > 0 ? [say('order.gold_back', { n: order.gold_back })] : [];
  const short = order.gold_short > 0 ? [say('order.gold_short', { n: order.gold_short })] : [];
  const why = order.why === null || order.why === order.state ? [] : [sayOf('order', order.why)];
  return [say(`order.${order.state}`), ...why, ...back, ...short].join(' · ');
}
