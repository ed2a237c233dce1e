/* What a whole handshake, or the request of a stream, asks for: read from the head that server/head.h has
 * checked, by the same reader for both, before libwebsockets has the connection. Pure but for the address
 * count. Hub thread. */
#ifndef RUMMYD_SERVER_WS_ASKED_H
#define RUMMYD_SERVER_WS_ASKED_H

#include "server/head.h"
#include "server/ws/ws_in.h"

#define SRV_WS_EVENTS_PATH "/ws/events"

/* Whether the path of a head, n bytes, is that one; a query may follow. */
bool srv_ws_asked_path(const char *head, size_t n, const char *path);
/* Reads a good handshake into visit->asked. false: *why says why it is refused; counted and logged where that
 * is due. */
bool srv_ws_asked_socket(struct srv_ws *ws, struct srv_ws_visit *visit, const char *head, size_t n,
                         struct srv_refusal *why);
/* The same for a stream of events. */
bool srv_ws_asked_stream(struct srv_ws *ws, struct srv_ws_visit *visit, const char *head, size_t n,
                         struct srv_refusal *why);

#endif
