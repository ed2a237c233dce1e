/* Whether players can reach this node's sockets at its public address. It connects like a browser, including
 * TLS and its certificate. */
#ifndef RUMMYD_SERVER_NODES_REACH_H
#define RUMMYD_SERVER_NODES_REACH_H

#include "server/config.h"
#include "server/nodes/lease.h"

struct srv_reach;

/* At startup: waits for an answer; one from a proxy that does not forward yet is enough. This node must
 * already be listening. false and one sentence in error, after some seconds. Main thread. */
bool srv_node_reached(const struct srv_config *config, char error[SRV_ERROR_MAX]);

/* After startup: a thread that checks every REACH_EVERY_MS while other nodes are running, and notifies the
 * lease when this node becomes unreachable, and when it is reachable again. NULL: no thread, or ws_url_check
 * is off. Main thread. */
struct srv_reach *srv_reach_start(const struct srv_config *config, struct srv_lease *lease);
/* NULL is fine. Main thread, before the lease is stopped. */
void srv_reach_stop(struct srv_reach *reach);

#endif
