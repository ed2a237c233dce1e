/* The WebSocket front on libwebsockets: sockets, frames in and out, liveness. Knows nothing of
 * tables; the hub gives it a loop and hooks. Hub thread. */
#ifndef RUMMYD_SERVER_WS_WS_H
#define RUMMYD_SERVER_WS_WS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ev_loop;
struct tab_table;
struct srv_ws;

enum {
    SRV_WS_OUT_MAX = 256 * 1024, /* bytes that wait for a slow reader; more: 4008 */
    SRV_WS_PING_S_MAX = 60,
    SRV_WS_BEAT_MS = 20,
    SRV_WS_BAD_MAX = 5,        /* bad frames of one socket; the next closes it */
    SRV_WS_BURST_MAX = 60,     /* commands at once; */
    SRV_WS_PER_S_MAX = 20,     /* and as many a second go on */
    SRV_WS_KERNEL_OUT = 32768, /* bytes the kernel may keep for a socket */
};

/* One connection. What a frame to it touches comes first, in one line of the cache; then what a message of it
 * touches. */
struct srv_socket {
    struct tab_table *table; /* joined; the hub's */
    struct srv_ws *ws;
    struct lws *wsi;
    struct srv_socket *dirty_next;
    char *out;
    uint32_t out_n, out_cap;
    int32_t fd;
    uint16_t close_code;
    uint8_t seat; /* the hub's. ENG_SPECTATOR: watches, delay_ms later than it happens */
    uint8_t bad;
    bool dirty, open, in_over, held;

    uint16_t budget; /* commands it may still send at once */
    uint16_t slot;
    int64_t heard_ms, refilled_ms;
    void *lobby_member; /* in the lobby; the hub's, as the next two */
    char *in;
    uint32_t in_n;
    struct srv_socket *slot_prev, *slot_next; /* of the wheel */

    int64_t delay_ms;
    void *redemption;        /* of its ticket, while it runs */
    int64_t table_id, since; /* table_id 0: the lobby */
    int64_t player_id;       /* 0: its ticket has not been looked at */
    int64_t session_id;      /* of the ticket */
    uint8_t scopes;          /* what that may do: enum api_scope */
    char ticket[96];
    char *early; /* what came while held, and how long it is */
    uint32_t early_n;
};

struct srv_ws_hooks {
    void *ctx;
    /* A connection to /ws/tables/{table_id} or /ws/lobby; its ticket is socket->ticket, unchecked. */
    void (*opened)(void *ctx, struct srv_socket *socket);
    /* A whole text message within the size limit. */
    void (*text)(void *ctx, struct srv_socket *socket, const char *text, size_t len);
    /* A message that is too big or binary. */
    void (*unreadable)(void *ctx, struct srv_socket *socket, bool too_big);
    /* It is gone: forget the pointer. */
    void (*closed)(void *ctx, struct srv_socket *socket);
};

struct srv_ws_config {
    const char *addr;
    int port;
    size_t socket_max;
    size_t waiting_max;         /* connections whose ticket was not good yet */
    size_t waiting_address_max; /* of those from one address, unless rate_limits is off */
    const char *proxies;        /* whose X-Forwarded-For says which address that is */
    const char *origins;
    int ping_s; /* up to SRV_WS_PING_S_MAX; a socket that is silent for twice as long is dropped */
    bool dev, rate_limits;
};

/* Listens on the loop. NULL and one sentence in error when it cannot. */
struct srv_ws *srv_ws_new(struct ev_loop *loop, const struct srv_ws_config *config,
                          const struct srv_ws_hooks *hooks, char *error, size_t error_cap);
void srv_ws_free(struct srv_ws *ws);
/* Its ticket was good: it is no longer one of those that wait, who are bounded more closely. */
void srv_ws_let_in(struct srv_socket *socket);
/* Calls `look` for each socket that is open; it may close it. */
void srv_ws_each(struct srv_ws *ws, void (*look)(struct srv_socket *socket, void *arg), void *arg);

/* Queues a text frame for each socket; it goes out with srv_ws_flush. */
void srv_ws_send(struct srv_socket *const *sockets, size_t n, const char *text, size_t len);
/* Closes once what was queued before has gone out. Hooks: `closed` follows later. */
void srv_ws_close(struct srv_socket *socket, int code);
/* While held no message of it is told: the first is kept, and what comes behind it waits in the kernel. Let
 * go, the one that was kept is told at once. */
void srv_ws_hold(struct srv_socket *socket, bool held);
/* Writes what was queued since the last call, with one system call a socket. Once a turn of the loop. */
void srv_ws_flush(struct srv_ws *ws);
/* Every SRV_WS_BEAT_MS: pings those whose turn it is, and drops who is dead. */
void srv_ws_beat(struct srv_ws *ws);
/* Counts a frame that made no sense; closes after some. */
void srv_ws_bad_frame(struct srv_socket *socket);
size_t srv_ws_sockets(const struct srv_ws *ws);
/* Something waits because the reader is slower than we: here, or behind a write that the kernel took in part.
 */
bool srv_ws_behind(const struct srv_socket *socket);

#endif
