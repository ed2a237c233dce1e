/* Sockets come and go. Hub thread. */
#ifndef RUMMYD_SERVER_WS_SOCKETS_H
#define RUMMYD_SERVER_WS_SOCKETS_H

#include "server/ws/ws_in.h"

/* A connection has become a socket, or a stream: adds it, and its ticket is checked. */
void srv_ws_opened(struct srv_ws *ws, struct srv_socket *socket);
/* It has closed. */
void srv_ws_closed(struct srv_ws *ws, struct srv_socket *socket);
/* Drops the message being received. */
void srv_ws_drop_in(struct srv_socket *socket);
/* Ends holding (srv_ws_hold) and drops the message that was kept: the socket is being closed. */
void srv_ws_release(struct srv_socket *socket);

#endif
