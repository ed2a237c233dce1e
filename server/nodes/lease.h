/* The node's lease: a thread with a separate connection renews it every second, and knows until when it
 * holds. After that time other nodes may have its tables; the node must not send anything until it has
 * renewed, and never again if its epoch has changed. docs/nodes.md has the details. */
#ifndef RUMMYD_SERVER_NODES_LEASE_H
#define RUMMYD_SERVER_NODES_LEASE_H

#include "server/config.h"
#include "server/edge/ws_url.h"

struct srv_lease;

/* Unreached: players cannot get here, so other nodes that are ready take its tables. */
enum srv_lease_state { SRV_NODE_STARTING, SRV_NODE_READY, SRV_NODE_UNREACHED, SRV_NODE_DRAINING };

/* Called on the lease's thread, or within srv_lease_set_state. */
struct srv_lease_ports {
    void *ctx;
    void (*wake)(void *ctx); /* it was renewed after it had expired, or it is lost for good */
    void (*adopted)(void *ctx, int64_t table); /* the node has taken over this table */
    void (*hand_over)(void *ctx, int64_t n,
                      bool to_lighter); /* how many tables to hand over; INT64_MAX: all, 0: no more */
};

/* Checks that the configuration fits the database and the other nodes, registers, and starts renewing. epoch:
 * of the node's name, which must be taken. NULL and one sentence in error. Main thread. */
struct srv_lease *srv_lease_open(const struct srv_config *config, int64_t epoch, char error[SRV_ERROR_MAX]);
/* The node's tables are loaded: from now on it takes over those of nodes that are gone. Main thread, once. */
void srv_lease_attach(struct srv_lease *lease, const struct srv_lease_ports *ports);
/* Sets the reported state and writes it before returning, if the database is reachable. A node that was never
 * attached drains without reporting. Main thread. */
void srv_lease_set_state(struct srv_lease *lease, enum srv_lease_state state);
/* Stops renewing. NULL is fine. Main thread. */
void srv_lease_stop(struct srv_lease *lease);
void srv_lease_free(struct srv_lease *lease);

/* ---- Any thread ---- */
/* Whether the node may act for its tables now. */
bool srv_lease_held(const struct srv_lease *lease);
/* Whether this machine's wall clock matches PostgreSQL's, as of the last renewal with a short enough round
 * trip. */
bool srv_lease_clock_ok(const struct srv_lease *lease);
/* Other nodes have its tables: it must not send again. */
bool srv_lease_lost(const struct srv_lease *lease);
/* Other nodes were running at the last renewal: they will take its tables over. */
bool srv_lease_has_peers(const struct srv_lease *lease);
/* Since it sent the last successful renewal. */
int64_t srv_lease_age_ms(const struct srv_lease *lease);
/* Socket origins of all running nodes, this one's first (server/edge/ws_url.h). */
void srv_lease_sockets(struct srv_lease *lease, char list[SRV_SOCKETS_MAX]);
/* Players in the lobbies of the other running nodes, as last reported. */
int64_t srv_lease_lobbies(const struct srv_lease *lease);
/* Whether players reach the node (server/nodes/selfcheck.h), for the next renewal. */
void srv_lease_set_reached(struct srv_lease *lease, bool reached);
/* The node's load, for the next renewal; lobby: players in its own. */
void srv_lease_load(struct srv_lease *lease, int64_t tables, int64_t sockets, int64_t lobby);

#endif
