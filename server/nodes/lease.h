/* The node's lease: a thread with a connection of its own says every second that the node lives, and knows
 * how long it may speak. Past that time others may have its tables; it must not say a word until it was heard
 * again, and when its epoch is another one it never may. docs/nodes.md has the whole. */
#ifndef RUMMYD_SERVER_NODES_LEASE_H
#define RUMMYD_SERVER_NODES_LEASE_H

#include "server/config.h"
#include "server/ws_url.h"

struct srv_lease;

/* Unreached: players do not get here, so that others that are ready are to have its tables. */
enum srv_lease_state { SRV_NODE_STARTING, SRV_NODE_READY, SRV_NODE_UNREACHED, SRV_NODE_DRAINING };

/* On the lease's thread, or within srv_lease_say. */
struct srv_lease_ports {
    void *ctx;
    void (*wake)(void *ctx); /* it was renewed after it had run out, or it is lost for ever */
    void (*adopted)(void *ctx, int64_t table); /* this table is the node's now */
    void (*pass)(void *ctx, int64_t n,
                 bool to_lighter); /* so many are to go to others; INT64_MAX: all, 0: no more */
};

/* Looks whether the configuration fits the database and the nodes beside, registers, begins to renew. epoch:
 * of the node's name, which must be taken. NULL and one sentence in error. Main thread. */
struct srv_lease *srv_lease_open(const struct srv_config *config, int64_t epoch, char error[SRV_ERROR_MAX]);
/* The node's tables are loaded: from now on it takes over those of nodes that are gone. Main thread, once. */
void srv_lease_attach(struct srv_lease *lease, const struct srv_lease_ports *ports);
/* What it says of itself: it is told before this returns, if the database is there. One that was never
 * attached drains without a word. Main thread. */
void srv_lease_say(struct srv_lease *lease, enum srv_lease_state state);
/* No word more. NULL is fine. Main thread. */
void srv_lease_stop(struct srv_lease *lease);
void srv_lease_free(struct srv_lease *lease);

/* ---- Any thread ---- */
/* The node may speak for its tables now. */
bool srv_lease_held(const struct srv_lease *lease);
/* The wall clock of this machine is PostgreSQL's, as of the last renewal whose answer came quickly enough. */
bool srv_lease_clock_fits(const struct srv_lease *lease);
/* Others have its tables: it may not speak again. */
bool srv_lease_lost(const struct srv_lease *lease);
/* Other nodes lived when it was renewed last: they will take its tables over. */
bool srv_lease_accompanied(const struct srv_lease *lease);
/* Since it said the last word that was heard. */
int64_t srv_lease_age_ms(const struct srv_lease *lease);
/* Origins of the sockets of all nodes that live, this one's first (server/ws_url.h). */
void srv_lease_sockets(struct srv_lease *lease, char list[SRV_SOCKETS_MAX]);
/* People in the lobbies of the other nodes that live, as they said last. */
int64_t srv_lease_lobbies(const struct srv_lease *lease);
/* Whether players reach the node (server/nodes/reach.h), for its next word. */
void srv_lease_reached(struct srv_lease *lease, bool reached);
/* How much the node has to do, for its next word; lobby: people in its own. */
void srv_lease_load(struct srv_lease *lease, int64_t tables, int64_t sockets, int64_t lobby);

#endif
