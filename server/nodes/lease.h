/* The node's lease: a thread with a separate connection renews it every second and keeps its expiry time.
 * After that time other nodes may have this node's tables, so the node must not send anything until it has
 * renewed the lease, and never again if its epoch has changed. See docs/nodes.md. */
#ifndef RUMMYD_SERVER_NODES_LEASE_H
#define RUMMYD_SERVER_NODES_LEASE_H

#include "server/config.h"
#include "server/edge/ws_url.h"

struct srv_lease;

/* SRV_NODE_UNREACHED: players cannot connect, so nodes that are ready take over its tables. */
enum srv_lease_state { SRV_NODE_STARTING, SRV_NODE_READY, SRV_NODE_UNREACHED, SRV_NODE_DRAINING };

/* Called on the lease's thread, or within srv_lease_set_state. */
struct srv_lease_ports {
    void *ctx;
    void (*wake)(void *ctx); /* the lease was renewed after it had expired, or is lost permanently */
    void (*adopted)(void *ctx, int64_t table); /* the node has taken over this table */
    void (*hand_over)(void *ctx, int64_t n,
                      bool to_lighter); /* hand over n tables; INT64_MAX: all, 0: no more */
};

/* Checks that the configuration fits the database and the other nodes, registers, and starts renewing.
 * epoch: that of the node's name, which this process must hold. NULL: error is one sentence. Main
 * thread. */
struct srv_lease *srv_lease_open(const struct srv_config *config, int64_t epoch, char error[SRV_ERROR_MAX]);
/* Call once the node's tables are loaded. From then on, the node takes over the tables of failed nodes.
 * Main thread, once. */
void srv_lease_attach(struct srv_lease *lease, const struct srv_lease_ports *ports);
/* Sets the reported state and writes it before returning, if the database is reachable. Does nothing if the
 * lease was never attached. Main thread. */
void srv_lease_set_state(struct srv_lease *lease, enum srv_lease_state state);
/* Stops renewals. Accepts NULL. Main thread. */
void srv_lease_stop(struct srv_lease *lease);
void srv_lease_free(struct srv_lease *lease);

/* ---- Any thread ---- */
/* Whether the node may act for its tables now. */
bool srv_lease_held(const struct srv_lease *lease);
/* Whether this machine's wall clock matches PostgreSQL's, as of the last renewal with a short enough round
 * trip. */
bool srv_lease_clock_ok(const struct srv_lease *lease);
/* Whether other nodes have this node's tables, so that it must not send again. */
bool srv_lease_lost(const struct srv_lease *lease);
/* Whether other nodes were running at the last poll; they will take over this node's tables. */
bool srv_lease_has_peers(const struct srv_lease *lease);
/* Time since the node sent the last successful renewal. */
int64_t srv_lease_age_ms(const struct srv_lease *lease);
/* Socket origins of all running nodes, this node's first (server/edge/ws_url.h). */
void srv_lease_sockets(struct srv_lease *lease, char list[SRV_SOCKETS_MAX]);
/* Players in the lobbies of the other running nodes, as last reported. */
int64_t srv_lease_lobbies(const struct srv_lease *lease);
/* Sets whether players can reach the node (server/nodes/selfcheck.h), for the next renewal. */
void srv_lease_set_reached(struct srv_lease *lease, bool reached);
/* Sets the node's load for the next renewal. lobby: players in its lobby. */
void srv_lease_load(struct srv_lease *lease, int64_t tables, int64_t sockets, int64_t lobby);

#endif
