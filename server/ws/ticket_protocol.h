/* The subprotocols that a client offers: ours, followed by its ticket. The ticket is there because browsers
 * cannot set any other header of a handshake, and URLs end up in logs and histories. Pure; any thread. */
#ifndef RUMMYD_SERVER_WS_TICKET_PROTOCOL_H
#define RUMMYD_SERVER_WS_TICKET_PROTOCOL_H

#include "server/edge/head.h"

#include <stdbool.h>
#include <stddef.h>

enum { SRV_WS_PROTOCOLS_MAX = 121 }; /* bytes of the list, including the NUL; longer lists are rejected */

/* Whether the list contains the protocol, case-sensitively. */
bool srv_ws_protocols_have(const char *offered, const char *protocol);
/* Copies the text after "ticket." in the list to ticket; "" if there is none or it does not fit into cap
 * bytes. false: the list has two tickets. */
bool srv_ws_protocols_ticket(const char *offered, char *ticket, size_t cap);

#endif
