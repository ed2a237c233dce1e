/* Pending connections, from accept until their ticket is accepted or they have closed: how many
 * there are, in total and per address, and the request of each. Hub thread. */
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
    SRV_WS_ORIGIN_MAX = 256, /* bytes of an origin, including the NUL; a longer one is never allowed */
    SRV_WS_KEY_MAX = 25,     /* of Sec-WebSocket-Key */
};

/* The request of a valid handshake (request.h). */
struct srv_ws_request {
    int64_t table_id, since; /* table_id 0: the lobby; since -1: everything */
    size_t head_n;           /* bytes of the head, which are still in the kernel; only for a socket */
    char ticket[96];
    char key[SRV_WS_KEY_MAX];
    char origin[SRV_WS_ORIGIN_MAX]; /* that may read the response; "": no Origin header */
};

/* A pending connection: from accept until its ticket is accepted or it has closed. */
struct srv_ws_pending {
    struct srv_ws_acceptor *acceptor;
    int fd;
    ev_io input;           /* until its handshake is complete; */
    struct recv_hook hook; /* what libwebsockets reads instead, */
    bool hooked;           /* if it has not read it yet */
    struct srv_ws_request request;
    struct lws *wsi;                    /* from then on libwebsockets owns it */
    struct srv_ws_pending *prev, *next; /* list of those without a handshake, oldest first */
    int64_t since_ms;
    struct addr addr;  /* its bucket, if counted; otherwise the peer */
    size_t read_n;     /* bytes of its handshake seen so far */
    bool counted;      /* in acceptor->addresses */
    bool by_proxy;     /* the client's address comes with the handshake */
    bool in_handshake; /* its handshake is not complete */
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
    struct srv_ws_pending *adopting;     /* while libwebsockets adopts it; NULL if it has closed by then */
    int64_t beat_ms;                     /* of the last beat */
    bool paused;
    int64_t paused_until_ms; /* 0: until a pending connection ends */
    struct {
        int64_t by_address, late, pauses; /* since the last log line */
        int64_t at_ms;
    } unlogged;
};

/* Accepts connections again after a pause. */
void srv_ws_acceptor_resume(struct srv_ws_acceptor *acceptor);
/* Its handshake is complete, or it is too late for one. */
void srv_ws_pending_has_handshake(struct srv_ws_pending *pending);
/* Counts it for its address; false: the address has reached its limit. */
bool srv_ws_pending_count(struct srv_ws_pending *pending, const struct addr *addr);
/* It is no longer pending, whoever owns its descriptor. */
void srv_ws_pending_end(struct srv_ws_pending *pending);
/* Sets a connection's address now that its head names the client behind a proxy. API_OK, or why it is
 * refused: for API_BAD_REQUEST *wrong is the header. */
enum api_code srv_ws_pending_address(struct srv_ws_pending *pending, const struct srv_forwarded *headers,
                                     const char **wrong);
/* It is no longer pending: its descriptor has a new owner, or is closed. */
void srv_ws_pending_leave(struct srv_ws_pending *pending);

/* The next four accept a connection that may no longer be pending. */

/* Its request; NULL: it is no longer pending. */
const struct srv_ws_request *srv_ws_pending_request(struct lws *wsi);
/* It has become a socket. */
void srv_ws_pending_upgraded(struct lws *wsi);
/* Its ticket was accepted: it is no longer pending. */
void srv_ws_pending_admitted(struct lws *wsi);
/* It has closed. */
void srv_ws_pending_closed(struct lws *wsi);

#endif
