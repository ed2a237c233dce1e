/* The first look at a connection's input: checks the whole handshake, byte for byte, with server/edge/head.h
 * before libwebsockets gets the connection. Hub thread. */
#ifndef RUMMYD_SERVER_WS_HANDSHAKE_H
#define RUMMYD_SERVER_WS_HANDSHAKE_H

#include <stddef.h>

enum srv_ws_look {
    WS_LOOK_MORE,     /* incomplete; the descriptor becomes readable only when there is more */
    WS_LOOK_GOOD,     /* complete, and not consumed */
    WS_LOOK_STREAM,   /* complete, for an event stream (stream.h), and consumed */
    WS_LOOK_ANSWERED, /* answered, nothing else to do */
    WS_LOOK_GONE,     /* the peer closed it */
};

/* seen: bytes seen at the last call, 0 before the first one. The descriptor is nonblocking. head: for
 * WS_LOOK_GOOD and WS_LOOK_STREAM, *seen bytes that are valid until the next call. */
enum srv_ws_look srv_ws_handshake_look(int fd, size_t *seen, const char **head);

#endif
