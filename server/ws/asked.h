/* Parses what a complete handshake, or an event stream request, asks for, from a head that server/edge/head.h
 * has checked: one parser for both, before libwebsockets gets the connection. Pure except for the address
 * count. Hub thread. */
#ifndef RUMMYD_SERVER_WS_ASKED_H
#define RUMMYD_SERVER_WS_ASKED_H

#include "server/edge/head.h"
#include "server/ws/ws_in.h"

#define SRV_WS_EVENTS_PATH "/ws/events"

/* Whether the path of a head (n bytes) is this one; a query may follow. */
bool srv_ws_asked_path(const char *head, size_t n, const char *path);
/* Parses a valid handshake into visit->asked. false: *why has the reason; rejections are counted and logged
 * where required. */
bool srv_ws_asked_socket(struct srv_ws *ws, struct srv_ws_visit *visit, const char *head, size_t n,
                         struct srv_refusal *why);
/* The same for an event stream. */
bool srv_ws_asked_stream(struct srv_ws *ws, struct srv_ws_visit *visit, const char *head, size_t n,
                         struct srv_refusal *why);

#endif
