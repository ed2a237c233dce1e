/* Pending connections, from accept until their ticket is accepted or they close: their number, in total and
 * per address, and their requests. Hub thread. */
#ifndef RUMMYD_SERVER_WS_PENDING_H
#define RUMMYD_SERVER_WS_PENDING_H

#include <ev.h>
#include <libwebsockets.h>

#include "api/core/problem.h"
#include "base/recv_hook.h"
#include "server/edge/addr_counter.h"
#include "server/edge/proxies.h"
#include "server/ws/ws.h"

enum {
    SRV_WS_ORIGIN_MAX = 256, /* bytes of an origin, including the NUL; longer ones are rejected */
    SRV_WS_KEY_MAX = 25,     /* of Sec-WebSocket-Key */
};

/* The request of a valid handshake (request.h). */
struct srv_ws_request {
    int64_t table_id, since; /* table_id 0: the lobby; since -1: from the beginning */
    size_t head_n;           /* bytes of the head; for a socket, still in the kernel */
    char ticket[96];
    char key[SRV_WS_KEY_MAX];
    char origin[SRV_WS_ORIGIN_MAX]; /* the origin, which may read the response; "": no Origin header */
};

/* A pending connection, from accept until its ticket is accepted or it closes. */
struct srv_ws_pending {
    struct srv_ws_acceptor *acceptor;
    int fd;
    ev_io input;           /* until the handshake is complete */
    struct recv_hook hook; /* replaces the input of libwebsockets; */
    bool hooked;           /* until libwebsockets has read it */
    struct srv_ws_request request;
    struct lws *wsi;                    /* set once libwebsockets owns the connection */
    struct srv_ws_pending *prev, *next; /* list of those without a handshake, oldest first */
    int64_t since_ms;
    struct addr addr;  /* bucket if counted, otherwise the peer */
    size_t read_n;     /* bytes of the handshake seen so far */
    bool counted;      /* in acceptor->addresses */
    bool by_proxy;     /* from a proxy; the handshake names the client's address */
    bool in_handshake; /* the handshake is incomplete */
};

struct srv_ws_acceptor {
    struct ev_loop *loop;
    struct srv_ws *ws;
    struct lws_vhost *vhost;
    int fd; /* the listening socket; -1: closed */
    ev_io readable;
    struct srv_proxies proxies;
    struct srv_addr_counter *addresses; /* NULL: no limit per address */
    size_t waiting_n, waiting_max, address_max;
    struct srv_ws_pending *first, *last; /* without a handshake yet */
    struct srv_ws_pending *adopting;     /* being adopted by libwebsockets; NULL once it has closed */
    int64_t beat_ms;                     /* time of the last beat */
    bool paused;
    int64_t paused_until_ms; /* 0: until a pending connection ends */
    struct {
        int64_t by_address, late, pauses; /* since the last log line */
        int64_t at_ms;
    } unlogged;
};

/* Accepts connections again after a pause. */
void srv_ws_acceptor_resume(struct srv_ws_acceptor *acceptor);
/* Call when the handshake is complete or late. */
void srv_ws_pending_has_handshake(struct srv_ws_pending *pending);
/* Counts the connection for its address. false: the address has reached its limit. */
bool srv_ws_pending_count(struct srv_ws_pending *pending, const struct addr *addr);
/* Call when the connection is no longer pending, no matter who owns its descriptor. */
void srv_ws_pending_end(struct srv_ws_pending *pending);
/* Sets the address of the client behind a proxy, from the headers. Returns API_OK, or why the connection is
 * refused. For API_BAD_REQUEST, *wrong is the header at fault. */
enum api_code srv_ws_pending_address(struct srv_ws_pending *pending, const struct srv_forwarded *headers,
                                     const char **wrong);
/* Call when the descriptor has a new owner or is closed. */
void srv_ws_pending_leave(struct srv_ws_pending *pending);

/* The next four functions accept connections that are no longer pending. */

/* The connection's request. NULL: it is no longer pending. */
const struct srv_ws_request *srv_ws_pending_request(struct lws *wsi);
/* Call when the connection has become a socket. */
void srv_ws_pending_upgraded(struct lws *wsi);
/* Call when the ticket was accepted, which ends the pending state. */
void srv_ws_pending_admitted(struct lws *wsi);
/* Call when the connection has closed. */
void srv_ws_pending_closed(struct lws *wsi);

#endif
