/* The shop's own thread: asks providers for orders of which nothing was heard, lists what
 * happened at them lately, and sweeps what is over.
 * Several servers may do it at once: an order is claimed before it is asked for. */
#ifndef RUMMYD_SERVER_ORDER_POLL_H
#define RUMMYD_SERVER_ORDER_POLL_H

#include "pay/pay.h"

struct srv_order_poll;

/* pay lives as long as the thread. every_s: pause between looks. NULL: no thread or memory. Main thread. */
struct srv_order_poll *srv_order_poll_start(const char *conninfo, const struct pay_shop *pay,
                                            int64_t every_s);
/* Ends and frees it; *pay->stop has been set, so it does not take long. NULL is fine. */
void srv_order_poll_stop(struct srv_order_poll *shop);

#endif
