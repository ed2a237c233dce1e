/* The subprotocols a client offers: ours, and behind it its ticket. A browser can send no other header of its
 * own with a handshake, and an address stands in logs and histories. Pure; any thread. */
#ifndef RUMMYD_SERVER_WS_OFFERED_H
#define RUMMYD_SERVER_WS_OFFERED_H

#include "server/head.h"

#include <stdbool.h>
#include <stddef.h>

enum { SRV_WS_OFFERED_MAX = 121 }; /* bytes of the list, with the NUL; a longer one is refused */

/* Whether the protocol is in the list, letter for letter. */
bool srv_ws_offered_has(const char *offered, const char *protocol);
/* Copies what follows "ticket." in the list to ticket; "" when nothing does, or more than fits cap bytes.
 * false: there are two, of which nobody knows which counts. */
bool srv_ws_offered_ticket(const char *offered, char *ticket, size_t cap);

#endif
