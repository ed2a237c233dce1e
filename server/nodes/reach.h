/* Whether players can reach the sockets of this node at the address that it tells them. It is asked there as
 * a browser would ask, TLS and its certificate included. */
#ifndef RUMMYD_SERVER_NODES_REACH_H
#define RUMMYD_SERVER_NODES_REACH_H

#include "server/config.h"
#include "server/nodes/lease.h"

struct srv_reach;

/* At the start: until somebody answers; a proxy that does not pass anything on yet is an answer. This node
 * must listen already. false and one sentence in error, after some seconds. Main thread. */
bool srv_node_reached(const struct srv_config *config, char error[SRV_ERROR_MAX]);

/* From then on: a thread that asks every REACH_EVERY_MS while other nodes live, and tells the lease when
 * nobody passes on to this node any more, and when somebody does again. NULL: no thread, or ws_url_check is
 * off. Main thread. */
struct srv_reach *srv_reach_start(const struct srv_config *config, struct srv_lease *lease);
/* NULL is fine. Main thread, before the lease is stopped. */
void srv_reach_stop(struct srv_reach *reach);

#endif
