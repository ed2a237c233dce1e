/* Output to sockets. Hub thread. */
#ifndef RUMMYD_SERVER_WS_OUT_H
#define RUMMYD_SERVER_WS_OUT_H

#include "server/ws/ws_in.h"

/* Puts a frame into the outbox; closes the socket of a reader that is too slow. */
void srv_ws_out_queue(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len);
/* Passes queued output to the kernel. Output that the kernel does not accept goes to libwebsockets; until
 * libwebsockets has sent it, further output remains in the outbox. false: the connection is broken. */
bool srv_ws_out_write(struct srv_socket *socket);
/* Ends a socket without a close frame, after libwebsockets' next event, which this function triggers. */
void srv_ws_end(struct srv_socket *socket, enum pending_timeout why);

#endif
