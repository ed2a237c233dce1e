/* The hub: one thread with one event loop that owns every live table of the node and all their sockets. Other
 * threads use the functions here, which any thread may call. */
#ifndef RUMMYD_SERVER_HUB_HUB_H
#define RUMMYD_SERVER_HUB_HUB_H

#include "api/signin/revoked.h"
#include "bus/bus.h"
#include "server/config.h"
#include "server/journal/thread.h"
#include "server/nodes/lease.h"

struct srv_hub;

/* Takes over the node's tables and listens. NULL and one sentence in error. Main thread; the journal must be
 * open and not started. lease and revoked must outlive the hub, which acts for its tables only while the
 * lease is held; sockets of players and sessions added to revoked are closed within a second, with 4403 and
 * 4005. */
struct srv_hub *srv_hub_start(const struct srv_config *config, struct srv_journal *journal,
                              struct srv_lease *lease, struct api_revoked *revoked, char *error,
                              size_t error_cap);
/* This node has taken over this table from another node. At most HUB_ADOPTED_MAX are queued; further ones are
 * loaded when a client connects. */
void srv_hub_adopted(struct srv_hub *hub, int64_t table_id);
/* A player took or left a seat of this table. Calls may be dropped if there are too many at once: the hub
 * polls every few seconds. */
void srv_hub_table_changed(struct srv_hub *hub, int64_t table_id);
/* Hands the node's tables over to other nodes, one by one, while the rest keep running. Returns when no
 * further table can be handed over, when no node accepts any, or after wait_ms. */
void srv_hub_hand_over_all(struct srv_hub *hub, int64_t wait_ms);
/* Hands n of its tables, or INT64_MAX for all, over to other nodes; to_lighter: only to those with less of
 * their capacity in use. 0: stop after the pending ones, unless the node is shutting down. The latest call
 * counts. */
void srv_hub_hand_over_some(struct srv_hub *hub, int64_t n, bool to_lighter);
/* Sets the bus on which the hub announces changes that other lobbies must show. Once. */
void srv_hub_join(struct srv_hub *hub, struct bus_port *bus);
/* A message from the bus: the hub checks the rows. */
void srv_hub_receive(struct srv_hub *hub, const struct bus_message *message);
/* Asks all clients to reconnect later, closes the sockets, and begins nothing new. Returns when all pending
 * writes are durable, or after wait_ms. */
void srv_hub_drain(struct srv_hub *hub, int64_t wait_ms);
/* Ends the thread and frees everything. */
void srv_hub_stop(struct srv_hub *hub);

#endif
