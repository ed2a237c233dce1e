/* The hub: one thread with one event loop that owns every live table of the node and all their
 * sockets. Others reach it through the functions here, which may be called on any thread. */
#ifndef RUMMYD_SERVER_HUB_HUB_H
#define RUMMYD_SERVER_HUB_HUB_H

#include "api/revoked.h"
#include "bus/bus.h"
#include "server/config.h"
#include "server/journal/thread.h"
#include "server/nodes/lease.h"

struct srv_hub;

/* Takes over the node's tables and listens. NULL and one sentence in error. Main thread; the journal must be
 * open and not started. lease and revoked live longer than the hub, which speaks for its tables only while
 * the lease is held; sockets of players and sessions that come into revoked are closed within a second, with
 * 4403 and 4005. */
struct srv_hub *srv_hub_start(const struct srv_config *config, struct srv_journal *journal,
                              struct srv_lease *lease, struct api_revoked *revoked, char *error,
                              size_t error_cap);
/* This table, which was another node's, is this one's now. At most HUB_ADOPTED_MAX wait; one too many is
 * taken over when somebody comes to it. */
void srv_hub_adopted(struct srv_hub *hub, int64_t table_id);
/* The lease was renewed or lost: look. */
void srv_hub_wake(struct srv_hub *hub);
/* A seat of this table was taken or given back. May be lost when there are too many at once: the
 * hub looks by itself every few seconds. */
void srv_hub_table_changed(struct srv_hub *hub, int64_t table_id);
/* Hands the node's tables over to other nodes, one by one, and goes on with the others meanwhile. Returns
 * when there is none left that could go, when nobody would have them, or after wait_ms. */
void srv_hub_pass_all(struct srv_hub *hub, int64_t wait_ms);
/* n of its tables, or INT64_MAX for all, are to go to other nodes; to_lighter: to those that have used less
 * of their room. 0: no more than those that are on their way, unless the node stops. The latest call counts.
 */
void srv_hub_pass_some(struct srv_hub *hub, int64_t n, bool to_lighter);
/* The bus, which the hub says by what the lobbies of others show no more. Once. */
void srv_hub_join(struct srv_hub *hub, struct bus_port *bus);
/* What the bus says: the hub looks at rows. */
void srv_hub_hear(struct srv_hub *hub, const struct bus_message *message);
/* Tells everybody to come back later, closes the sockets, begins nothing new. Returns when all that was
 * begun is durable, or after wait_ms. */
void srv_hub_drain(struct srv_hub *hub, int64_t wait_ms);
/* Ends the thread and frees everything. */
void srv_hub_stop(struct srv_hub *hub);

#endif
