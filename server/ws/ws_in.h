/* Shared by the files of the WebSocket front end. Hub thread. */
#ifndef RUMMYD_SERVER_WS_WS_IN_H
#define RUMMYD_SERVER_WS_WS_IN_H

#include <libwebsockets.h>

#include "server/ws/door.h"
#include "server/ws/ws.h"

enum { WS_OUT_SPARE_MAX = 128 }; /* initial-size outboxes kept for the next loop iteration */
enum {
    WS_BEATS_PER_S =
        1000 / SRV_WS_BEAT_MS, /* number of slots per second: thousands of pings are spread out */
    WS_SLOTS_MAX = SRV_WS_PING_S_MAX * WS_BEATS_PER_S,
    WS_BEATS_LATE_MAX = 10,
    WS_CLOSE_S_MAX = 5, /* for the peer to close as well */
};
enum { WS_LINE = 64 };                           /* bytes per cache line */
enum { WS_TEXT = 1, WS_CLOSE = 8, WS_PING = 9 }; /* opcodes of RFC 6455, 5.2 */

struct srv_ws {
    struct lws_context *context;
    struct srv_ws_door door;
    struct srv_ws_hooks hooks;
    struct srv_ws_config config;
    char origins[512];
    struct srv_socket *dirty;
    char *out_spare[WS_OUT_SPARE_MAX];
    size_t out_spare_n;
    struct srv_socket *slots[WS_SLOTS_MAX]; /* those of config.ping_s seconds, one pinged per beat */
    uint16_t slot_now, slot_next_new;
    uint16_t closing_next; /* number closed by us: spreads their timeouts */
    int64_t beat_ms;       /* of the last beat */
    size_t sockets_n;
};

/* A connection has become a socket, or a stream: adds it, and its ticket is checked. */
void srv_ws_opened(struct srv_ws *ws, struct srv_socket *socket);
/* It has closed. */
void srv_ws_closed(struct srv_ws *ws, struct srv_socket *socket);
/* A socket whose close frame was sent: ended WS_CLOSE_S_MAX seconds from now (or after one ping interval if
 * that is shorter), unless the peer closes it first. */
void srv_ws_wheel_closing(struct srv_socket *socket);
/* Ends a socket without a close frame, after libwebsockets' next event, which is forced to come at once. */
void srv_ws_end(struct srv_socket *socket, enum pending_timeout why);

/* out.c: output to sockets. */

/* Puts a frame into the outbox; closes a reader that leaves too much there. */
void srv_ws_out_queue(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len);
/* A part of what goes into an outbox; n 0: empty. */
struct srv_ws_piece {
    const char *bytes;
    size_t n;
};
/* Appends the pieces to the outbox, one after another; false: they do not fit, and none was added. */
bool srv_ws_out_pieces(struct srv_socket *socket, const struct srv_ws_piece *pieces, size_t n);
/* Hands queued output to the kernel, and what that does not accept to libwebsockets, which keeps it; while it
 * keeps something, this waits. false: the connection is broken. */
bool srv_ws_out_write(struct srv_socket *socket);
/* The socket has closed. */
void srv_ws_out_forget(struct srv_socket *socket);
void srv_ws_out_free(struct srv_ws *ws);

#endif
