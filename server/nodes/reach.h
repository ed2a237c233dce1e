/* Whether players can reach the sockets of this node at the address that it tells them. Main thread. */
#ifndef RUMMYD_SERVER_NODES_REACH_H
#define RUMMYD_SERVER_NODES_REACH_H

#include "server/config.h"

/* Asks at ws_url as a browser would, TLS and its certificate included, until somebody answers; a proxy that
 * does not pass anything on yet is an answer. This node must listen already. false and one sentence in error,
 * after some seconds. */
bool srv_node_reached(const struct srv_config *config, char error[SRV_ERROR_MAX]);

#endif
