/* The WebSocket front end on libwebsockets: sockets, frames in both directions, and liveness. Independent
 * of tables; the hub provides a loop and hooks. Hub thread. */
#ifndef RUMMYD_SERVER_WS_WS_H
#define RUMMYD_SERVER_WS_WS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ev_loop;
struct tab_table;
struct srv_ws;

enum {
    SRV_WS_OUT_MAX = 256 * 1024, /* bytes queued for a slow reader; more close the socket with 4008 */
    SRV_WS_PING_S_MAX = 60,
    SRV_WS_BEAT_MS = 20,
    SRV_WS_BAD_MAX = 5,        /* invalid frames per socket; the next one closes it */
    SRV_WS_BURST_MAX = 60,     /* burst of commands */
    SRV_WS_PER_S_MAX = 20,     /* sustained rate of commands per second */
    SRV_WS_KERNEL_OUT = 32768, /* the kernel's send buffer per socket */
};

/* A connection. Fields used for output come first, in one cache line, then those used for input. */
struct srv_socket {
    struct tab_table *table; /* the table joined; owned by the hub */
    struct srv_ws *ws;
    struct lws *wsi;
    struct srv_socket *dirty_next;
    char *out;
    uint32_t out_n, out_cap;
    int32_t fd;
    uint16_t close_code;
    uint8_t seat; /* owned by the hub. ENG_SPECTATOR: a spectator, with a delay of delay_ms */
    uint8_t bad;
    bool dirty, open, in_over, held;

    uint16_t budget; /* commands left in its burst */
    uint16_t slot;
    int64_t heard_ms, refilled_ms;
    void *lobby_member; /* set in the lobby; owned by the hub */
    char *in;
    uint32_t in_n;
    struct srv_socket *slot_prev, *slot_next; /* of the timer wheel */

    int64_t delay_ms;
    void *redemption;        /* while its ticket is being checked; owned by the hub */
    int64_t table_id, since; /* table_id 0: the lobby */
    int64_t player_id;       /* 0: the ticket has not been checked */
    int64_t session_id;      /* session of the ticket */
    uint8_t scopes;          /* the ticket's permissions: enum api_scope */
    char ticket[96];
    char *early; /* input received while held, and its length */
    uint32_t early_n;
};

struct srv_ws_hooks {
    void *ctx;
    /* Called for a connection to /ws/tables/{table_id} or /ws/lobby; socket->ticket is unchecked. */
    void (*opened)(void *ctx, struct srv_socket *socket);
    /* Called for a complete text message within the size limit. */
    void (*text)(void *ctx, struct srv_socket *socket, const char *text, size_t len);
    /* Called for a message that is too large or binary. */
    void (*unreadable)(void *ctx, struct srv_socket *socket, bool too_big);
    /* Called when the socket has closed and the pointer becomes invalid. */
    void (*closed)(void *ctx, struct srv_socket *socket);
};

struct srv_ws_config {
    const char *addr;
    int port;
    size_t socket_max;
    size_t waiting_max;         /* connections without an accepted ticket */
    size_t waiting_address_max; /* of these, per address, unless rate_limits is off */
    const char *proxies;        /* proxies whose X-Forwarded-For is trusted */
    const char *origins;
    int ping_s; /* up to SRV_WS_PING_S_MAX; a socket silent for twice as long is dropped */
    bool dev, rate_limits;
};

/* Listens on the loop. NULL: error is one sentence. */
struct srv_ws *srv_ws_new(struct ev_loop *loop, const struct srv_ws_config *config,
                          const struct srv_ws_hooks *hooks, char *error, size_t error_cap);
void srv_ws_free(struct srv_ws *ws);
/* Call when the socket's ticket was accepted, so that the limits of waiting connections no longer apply to
 * it. */
void srv_ws_admit(struct srv_socket *socket);
/* Calls `visit` for each open socket; `visit` may close the socket. */
void srv_ws_each(struct srv_ws *ws, void (*visit)(struct srv_socket *socket, void *arg), void *arg);

/* Queues a text frame for each socket; srv_ws_flush sends it. */
void srv_ws_send(struct srv_socket *const *sockets, size_t n, const char *text, size_t len);
/* Closes the socket once all queued output has been sent. The hook `closed` follows later. */
void srv_ws_close(struct srv_socket *socket, int code);
/* While a socket is held, its messages are not delivered: the first is kept, and later ones wait in the
 * kernel. On release, the kept one is delivered at once. */
void srv_ws_hold(struct srv_socket *socket, bool held);
/* Writes the output queued since the last call, with one system call per socket. Call once per loop
 * iteration. */
void srv_ws_flush(struct srv_ws *ws);
/* Call every SRV_WS_BEAT_MS. Pings the sockets of the next slot, and drops dead ones. */
void srv_ws_beat(struct srv_ws *ws);
/* Counts an invalid frame; closes the socket after a few. */
void srv_ws_bad_frame(struct srv_socket *socket);
size_t srv_ws_sockets(const struct srv_ws *ws);
/* Whether output waits for a slow reader, in the outbox or after a write that the kernel accepted only in
 * part. */
bool srv_ws_behind(const struct srv_socket *socket);

#endif
