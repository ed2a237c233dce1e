/* Output to sockets. Hub thread. */
#ifndef RUMMYD_SERVER_WS_OUT_H
#define RUMMYD_SERVER_WS_OUT_H

#include "server/ws/ws_in.h"

/* Puts a frame into the outbox; closes a reader that leaves too much there. */
void srv_ws_out_queue(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len);
/* Hands queued output to the kernel, and what that does not accept to libwebsockets, which keeps it; while it
 * keeps something, this waits. false: the connection is broken. */
bool srv_ws_out_write(struct srv_socket *socket);
/* Ends a socket without a close frame, after libwebsockets' next event, which is forced to come at once. */
void srv_ws_end(struct srv_socket *socket, enum pending_timeout why);

#endif
