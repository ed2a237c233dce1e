/* Takes a new connection to its seat: checks the ticket, loads the table, and seats the socket. Hub
 * thread. */
#ifndef RUMMYD_SERVER_HUB_REDEMPTION_H
#define RUMMYD_SERVER_HUB_REDEMPTION_H

#include "server/hub/hub_in.h"

/* Called when a client connects and when it disconnects. ctx: the hub. */
void srv_hub_opened(void *ctx, struct srv_socket *socket);
void srv_hub_closed(void *ctx, struct srv_socket *socket);
/* Whether a socket that connects while the lease is not held waits for the lease. tries: number of waits so
 * far. */
bool srv_hub_waits_for_lease(bool held, bool has_peers, bool draining, int tries);
/* Call before the loop waits. Sends received tickets to the database unless a query is running. */
void srv_hub_redeem(struct srv_hub *hub);
/* Drops tickets that have not been sent. */
void srv_hub_forget_tickets(struct srv_hub *hub);
/* Reads the table's rows, then takes it over or updates it. */
void srv_hub_load(struct srv_hub *hub, int64_t table_id);
/* Ends the table with refunds; if it is not loaded, reads its rows first. */
void srv_hub_cancel_table(struct srv_hub *hub, int64_t table_id);

#endif
