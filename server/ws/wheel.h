/* One timer wheel for all sockets: each socket is in one slot, and each beat advances by one slot. Hub
 * thread. */
#ifndef RUMMYD_SERVER_WS_WHEEL_H
#define RUMMYD_SERVER_WS_WHEEL_H

#include "server/ws/ws_in.h"

/* Add a socket, so that sockets are spread over the slots, and remove it. */
void srv_ws_wheel_add(struct srv_ws *ws, struct srv_socket *socket);
void srv_ws_wheel_remove(struct srv_ws *ws, struct srv_socket *socket);
/* Call when a socket's close frame was queued. The socket ends WS_CLOSE_S_MAX seconds from now (or after
 * one ping interval if that is shorter), unless the peer closes it first. */
void srv_ws_wheel_closing(struct srv_socket *socket);
/* Advances by one slot; returns the first of its sockets, or NULL. */
struct srv_socket *srv_ws_wheel_turn(struct srv_ws *ws);

#endif
