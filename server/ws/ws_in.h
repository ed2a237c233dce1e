/* What the files of the WebSocket front share. Hub thread. */
#ifndef RUMMYD_SERVER_WS_WS_IN_H
#define RUMMYD_SERVER_WS_WS_IN_H

#include <libwebsockets.h>

#include "server/ws/door.h"
#include "server/ws/ws.h"

enum { WS_OUT_SPARE_MAX = 128 }; /* outboxes of the first size that are kept for the next turn of the loop */
enum {
    WS_BEATS_PER_S = 1000 / SRV_WS_BEAT_MS, /* so many slots a second: pings of thousands come one by one */
    WS_SLOTS_MAX = SRV_WS_PING_S_MAX * WS_BEATS_PER_S,
    WS_BEATS_LATE_MAX = 10,
    WS_CLOSE_S_MAX = 5, /* for the peer to close as well */
};
enum { WS_LINE = 64 };                           /* bytes of a line of the cache */
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
    struct srv_socket *slots[WS_SLOTS_MAX]; /* those of config.ping_s seconds, one pinged a beat */
    uint16_t slot_now, slot_next_new;
    uint16_t closing_next; /* how many have been closed by us: spreads when those are looked after */
    int64_t beat_ms;       /* of the last beat */
    size_t sockets_n;
};

/* A connection has become a socket, or a stream: it joins the others and its ticket is looked at. */
void srv_ws_opened(struct srv_ws *ws, struct srv_socket *socket);
/* It is gone. */
void srv_ws_closed(struct srv_ws *ws, struct srv_socket *socket);
/* A socket that was sent its close frame: ended WS_CLOSE_S_MAX seconds from now (where pings are as frequent
 * as that, a ping's time from now), unless the peer ends it before. */
void srv_ws_wheel_closing(struct srv_socket *socket);
/* Ends a socket without a word, behind libwebsockets' next event, which is made to come at once. */
void srv_ws_end(struct srv_socket *socket, enum pending_timeout why);

/* out.c: what a socket is sent. */

/* Puts a frame into the outbox; a reader who leaves too much there is closed. */
void srv_ws_out_queue(struct srv_socket *socket, uint8_t opcode, const char *text, size_t len);
/* Some bytes of what goes into an outbox; n 0: none. */
struct srv_ws_piece {
    const char *bytes;
    size_t n;
};
/* Puts the pieces, one behind the other, into the outbox; false: they do not fit, and none is there. */
bool srv_ws_out_pieces(struct srv_socket *socket, const struct srv_ws_piece *pieces, size_t n);
/* Hands what is queued to the kernel, and what that does not take to libwebsockets, which keeps it; while it
 * keeps something we wait. false: the connection is broken. */
bool srv_ws_out_write(struct srv_socket *socket);
/* The socket is gone. */
void srv_ws_out_forget(struct srv_socket *socket);
void srv_ws_out_free(struct srv_ws *ws);

#endif
