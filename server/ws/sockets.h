/* Opening and closing of sockets. Hub thread. */
#ifndef RUMMYD_SERVER_WS_SOCKETS_H
#define RUMMYD_SERVER_WS_SOCKETS_H

#include "server/ws/ws_in.h"

/* Call when a connection has become a socket or a stream. Adds it and has its ticket checked. */
void srv_ws_opened(struct srv_ws *ws, struct srv_socket *socket);
/* Call when the socket has closed. */
void srv_ws_closed(struct srv_ws *ws, struct srv_socket *socket);
/* Drops the message being received. */
void srv_ws_drop_in(struct srv_socket *socket);
/* Call when closing a socket. Ends holding (srv_ws_hold) and drops the kept message. */
void srv_ws_release(struct srv_socket *socket);

#endif
