/* The shop's own thread: asks providers for orders of which nothing was heard, and sweeps what is over.
 * Several servers may do it at once: an order is claimed before it is asked for. */
#ifndef RUMMYD_SERVER_SHOP_H
#define RUMMYD_SERVER_SHOP_H

#include "pay/pay.h"

struct srv_shop;

/* pay lives as long as the thread. every_s: pause between looks. NULL: no thread or memory. Main thread. */
struct srv_shop *srv_shop_start(const char *conninfo, const struct pay_shop *pay, int64_t every_s);
/* Ends and frees it; *pay->stop has been set, so it does not take long. NULL is fine. */
void srv_shop_stop(struct srv_shop *shop);

#endif
