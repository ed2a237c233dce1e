/* The thread that sends what is told over HTTP: takes deliveries from the outbox (db/functions/outgoing),
 * signs them, sends several at a time by net/outward.h and notes what came of each. Several servers may do it
 * at once. */
#ifndef RUMMYD_SERVER_OUTBOX_H
#define RUMMYD_SERVER_OUTBOX_H

#include "server/push.h"

#include <stdatomic.h>

struct srv_outbox;

/* config, push and stop live as long as the thread. NULL: no thread or
 * memory. Main thread. */
struct srv_outbox *srv_outbox_start(const struct srv_config *config, struct srv_push *push,
                                    const atomic_bool *stop);
/* Ends and frees it; *stop has been set: what is on its way has a moment to be answered, the rest is another
 * server's. NULL is fine. */
void srv_outbox_stop(struct srv_outbox *outbox);

#endif
