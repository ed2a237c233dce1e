/* The thread that sends notifications over HTTP: claims deliveries from the outbox (db/functions/outgoing),
 * signs them, sends several at a time through net/outbound.h, and stores the results. Several servers may do
 * it at once. */
#ifndef RUMMYD_SERVER_OUTBOX_H
#define RUMMYD_SERVER_OUTBOX_H

#include "server/outbound/push.h"

#include <stdatomic.h>

struct srv_outbox;

/* config, push, and stop must outlive the thread. NULL: no thread or memory. Main thread. */
struct srv_outbox *srv_outbox_start(const struct srv_config *config, struct srv_push *push,
                                    const atomic_bool *stop);
/* Ends the thread and frees its memory. *stop must be set. Waits briefly for pending deliveries; other
 * servers send the rest. Accepts NULL. */
void srv_outbox_stop(struct srv_outbox *outbox);

#endif
