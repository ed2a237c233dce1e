/* The shop's thread: queries providers about orders without news, lists recent events, and cleans up finished
 * orders. Several servers may do it at once: an order is claimed before it is queried. */
#ifndef RUMMYD_SERVER_ORDER_POLL_H
#define RUMMYD_SERVER_ORDER_POLL_H

#include "pay/pay.h"

struct srv_order_poll;

/* pay must outlive the thread. every_s: pause between polls. NULL: no thread or memory. Main thread. */
struct srv_order_poll *srv_order_poll_start(const char *conninfo, const struct pay_shop *pay,
                                            int64_t every_s);
/* Ends the thread and frees its memory. *pay->net.stop must be set, so that this does not take long.
 * Accepts NULL. */
void srv_order_poll_stop(struct srv_order_poll *shop);

#endif
