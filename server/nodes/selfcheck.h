/* Whether players can reach this node's sockets at its public address. The check connects like a browser,
 * including TLS and certificate validation. */
#ifndef RUMMYD_SERVER_NODES_SELFCHECK_H
#define RUMMYD_SERVER_NODES_SELFCHECK_H

#include "server/config.h"
#include "server/nodes/lease.h"

struct srv_selfcheck;

/* For startup. Waits for an answer; one from a proxy that cannot forward yet is sufficient. This node must
 * already be listening. false: no answer after some seconds; error is one sentence. Main thread. */
bool srv_selfcheck_at_startup(const struct srv_config *config, char error[SRV_ERROR_MAX]);

/* For after startup. Starts a thread that checks every SELFCHECK_EVERY_MS while other nodes are running,
 * and notifies the lease when this node becomes unreachable or reachable again. NULL: no thread, or
 * ws_url_check is off. Main thread. */
struct srv_selfcheck *srv_selfcheck_start(const struct srv_config *config, struct srv_lease *lease);
/* Accepts NULL. Main thread, before the lease is stopped. */
void srv_selfcheck_stop(struct srv_selfcheck *selfcheck);

#endif
