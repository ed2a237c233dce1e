/* The outbox of each socket: bytes passed to the kernel once per loop iteration. Hub thread. */
#ifndef RUMMYD_SERVER_WS_OUTBOX_H
#define RUMMYD_SERVER_WS_OUTBOX_H

#include <sys/types.h>

#include "server/ws/ws_in.h"

/* A piece of output; n 0: empty. */
struct srv_ws_piece {
    const char *bytes;
    size_t n;
};
/* Appends the pieces to the outbox. false: they do not fit, and none was added. */
bool srv_ws_outbox_put(struct srv_socket *socket, const struct srv_ws_piece *pieces, size_t n);
/* Sends the outbox; returns how many bytes the kernel accepted. -1: the connection is broken. */
ssize_t srv_ws_outbox_send(const struct srv_socket *socket);
/* Empties the outbox and returns its memory. */
void srv_ws_outbox_drop(struct srv_socket *socket);
/* Call when the socket has closed. */
void srv_ws_outbox_forget(struct srv_socket *socket);
void srv_ws_outbox_free(struct srv_ws *ws);

#endif
