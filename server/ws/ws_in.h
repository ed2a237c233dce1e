/* The state of the WebSocket front end, private to its files. Hub thread. */
#ifndef RUMMYD_SERVER_WS_WS_IN_H
#define RUMMYD_SERVER_WS_WS_IN_H

#include <libwebsockets.h>

#include "server/ws/pending.h"
#include "server/ws/ws.h"

enum { WS_OUT_SPARE_MAX = 128 }; /* initial-size outboxes kept for the next loop iteration */
enum {
    WS_BEATS_PER_S = 1000 / SRV_WS_BEAT_MS, /* slots per second, over which thousands of pings are spread */
    WS_SLOTS_MAX = SRV_WS_PING_S_MAX * WS_BEATS_PER_S,
    WS_BEATS_LATE_MAX = 10,
    WS_CLOSE_S_MAX = 5, /* time for the peer to close as well */
};
enum { WS_LINE = 64 };                           /* bytes per cache line */
enum { WS_TEXT = 1, WS_CLOSE = 8, WS_PING = 9 }; /* opcodes of RFC 6455, 5.2 */

struct srv_ws {
    struct lws_context *context;
    struct srv_ws_acceptor acceptor;
    struct srv_ws_hooks hooks;
    struct srv_ws_config config;
    char origins[512];
    struct srv_socket *dirty;
    char *out_spare[WS_OUT_SPARE_MAX];
    size_t out_spare_n;
    struct srv_socket *slots[WS_SLOTS_MAX]; /* used: config.ping_s seconds of slots, one pinged per beat */
    uint16_t slot_now, slot_next_new;
    uint16_t closing_next; /* number of sockets closed by us, to spread their timeouts */
    int64_t beat_ms;       /* of the last beat */
    size_t sockets_n;
};

#endif
