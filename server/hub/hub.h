/* The hub: one thread with one event loop that owns every live table of the node and all sockets. Any
 * thread may call the functions here. */
#ifndef RUMMYD_SERVER_HUB_HUB_H
#define RUMMYD_SERVER_HUB_HUB_H

#include "api/signin/revoked.h"
#include "bus/bus.h"
#include "server/config.h"
#include "server/journal/thread.h"
#include "server/nodes/lease.h"

struct srv_hub;

/* Takes over the node's tables and listens. NULL: error is one sentence. Main thread; the journal must be
 * open but not started. lease and revoked must outlive the hub. The hub acts for its tables only while the
 * lease is held. It closes the sockets of players and sessions added to revoked within a second, with 4403
 * and 4005. */
struct srv_hub *srv_hub_start(const struct srv_config *config, struct srv_journal *journal,
                              struct srv_lease *lease, struct api_revoked *revoked, char *error,
                              size_t error_cap);
/* Call when this node has taken over a table from another node. At most HUB_ADOPTED_MAX tables are queued;
 * further ones are loaded when a client connects. */
void srv_hub_adopted(struct srv_hub *hub, int64_t table_id);
/* Call when a player has taken or left a seat of this table. Too many calls at once may be dropped, because
 * the hub also polls every few seconds. */
void srv_hub_table_changed(struct srv_hub *hub, int64_t table_id);
/* Hands the node's tables over to other nodes, one by one, while the rest keep running. Returns when no
 * further table can be handed over, when no node accepts any, or after wait_ms. */
void srv_hub_hand_over_all(struct srv_hub *hub, int64_t wait_ms);
/* Hands over n of the node's tables to other nodes; INT64_MAX: all. to_lighter: only to nodes with less of
 * their capacity in use. 0: stop after the pending ones, unless the node is shutting down. The latest call
 * replaces earlier ones. */
void srv_hub_hand_over_some(struct srv_hub *hub, int64_t n, bool to_lighter);
/* Sets the bus on which the hub announces changes that other lobbies must show. Call once. */
void srv_hub_join(struct srv_hub *hub, struct bus_port *bus);
/* Takes a message from the bus; the hub then checks the rows. */
void srv_hub_receive(struct srv_hub *hub, const struct bus_message *message);
/* Makes all clients reconnect later, closes the sockets, and starts nothing new. Returns when all pending
 * writes are durable, or after wait_ms. */
void srv_hub_drain(struct srv_hub *hub, int64_t wait_ms);
/* Ends the thread and frees everything. */
void srv_hub_stop(struct srv_hub *hub);

#endif
