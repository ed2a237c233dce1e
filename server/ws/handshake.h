/* Checks the whole handshake of a connection with server/edge/head.h before libwebsockets gets the
 * connection. Hub thread. */
#ifndef RUMMYD_SERVER_WS_HANDSHAKE_H
#define RUMMYD_SERVER_WS_HANDSHAKE_H

#include <stddef.h>

enum srv_ws_handshake_state {
    WS_HANDSHAKE_PARTIAL,  /* incomplete; the descriptor becomes readable only when more arrives */
    WS_HANDSHAKE_VALID,    /* complete, and not consumed */
    WS_HANDSHAKE_STREAM,   /* complete, for an event stream (stream.h), and consumed */
    WS_HANDSHAKE_ANSWERED, /* already answered */
    WS_HANDSHAKE_CLOSED,   /* closed by the peer */
};

/* *seen: bytes seen at the last call, 0 before the first one. The descriptor must be nonblocking. *head:
 * for WS_HANDSHAKE_VALID and WS_HANDSHAKE_STREAM, *seen bytes that are valid until the next call. */
enum srv_ws_handshake_state srv_ws_handshake_peek(int fd, size_t *seen, const char **head);

#endif
