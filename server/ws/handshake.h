/* The first look at what a connection says: a whole handshake, byte for byte as server/head.h has it, before
 * libwebsockets is given the connection. Hub thread. */
#ifndef RUMMYD_SERVER_WS_HANDSHAKE_H
#define RUMMYD_SERVER_WS_HANDSHAKE_H

#include <stddef.h>

enum srv_ws_look {
    WS_LOOK_MORE, /* not all of it is there; readiness of the descriptor tells of more, and of nothing else */
    WS_LOOK_GOOD, /* it is, and still to be read */
    WS_LOOK_STREAM,   /* it is that of a stream of events (stream.h), and was read */
    WS_LOOK_ANSWERED, /* it has its answer, and that is all */
    WS_LOOK_GONE,     /* it hung up */
};

/* seen: bytes the last look saw, 0 before the first one. The descriptor does not block. head: of WS_LOOK_GOOD
 * and WS_LOOK_STREAM, *seen bytes that are good until the next look. */
enum srv_ws_look srv_ws_handshake_look(int fd, size_t *seen, const char **head);

#endif
