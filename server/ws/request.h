/* Parses the request of a handshake or an event stream, from a head that server/edge/head.h has checked,
 * before libwebsockets gets the connection. Pure except for the address count. Hub thread. */
#ifndef RUMMYD_SERVER_WS_REQUEST_H
#define RUMMYD_SERVER_WS_REQUEST_H

#include "server/edge/head.h"
#include "server/ws/ws_in.h"

#define SRV_WS_EVENTS_PATH "/ws/events"

/* Whether a head of n bytes has this path; a query may follow. */
bool srv_ws_request_has_path(const char *head, size_t n, const char *path);
/* Parses a valid handshake into pending->request. false: *why has the reason; rejections are counted and
 * logged where required. */
bool srv_ws_request_read_socket(struct srv_ws *ws, struct srv_ws_pending *pending, const char *head, size_t n,
                                struct srv_refusal *why);
/* Like srv_ws_request_read_socket, for an event stream. */
bool srv_ws_request_read_stream(struct srv_ws *ws, struct srv_ws_pending *pending, const char *head, size_t n,
                                struct srv_refusal *why);

#endif
