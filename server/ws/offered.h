/* The subprotocols a client offers: ours, and behind it its ticket. A browser can send no other header of its
 * own with a handshake, and an address stands in logs and histories. Pure; any thread. */
#ifndef RUMMYD_SERVER_WS_OFFERED_H
#define RUMMYD_SERVER_WS_OFFERED_H

#include <stdbool.h>
#include <stddef.h>

/* Copies what follows "ticket." in the list to ticket; "" when nothing does, or more than fits cap bytes.
 * false: there are two, of which nobody knows which counts. */
bool srv_ws_offered_ticket(const char *offered, char *ticket, size_t cap);

#endif
