/* Connections on their way in, from accept until their ticket is accepted or they have closed: how many
 * there are, in total and per address, and what each asks for. Hub thread. */
#ifndef RUMMYD_SERVER_WS_VISITS_H
#define RUMMYD_SERVER_WS_VISITS_H

#include <ev.h>
#include <libwebsockets.h>

#include "api/core/problem.h"
#include "base/recv_hook.h"
#include "server/edge/proxies.h"
#include "server/edge/tally.h"
#include "server/ws/ws.h"

enum {
    SRV_WS_ORIGIN_MAX = 256, /* bytes of an origin, including the NUL; a longer one is never allowed */
    SRV_WS_KEY_MAX = 25,     /* of Sec-WebSocket-Key */
};

/* What a valid handshake asks for (asked.h). */
struct srv_ws_asked {
    int64_t table_id, since; /* table_id 0: the lobby; since -1: everything */
    size_t head_n;           /* bytes of the head, which are still in the kernel; only for a socket */
    char ticket[96];
    char key[SRV_WS_KEY_MAX];
    char origin[SRV_WS_ORIGIN_MAX]; /* that may read the response; "": no Origin header */
};

/* A connection on its way in: from accept until its ticket is accepted or it has closed. */
struct srv_ws_visit {
    struct srv_ws_door *door;
    int fd;
    ev_io heard;           /* until its handshake is complete; */
    struct recv_hook hook; /* what libwebsockets reads instead, */
    bool hooked;           /* if it has not read it yet */
    struct srv_ws_asked asked;
    struct lws *wsi;                  /* from then on libwebsockets owns it */
    struct srv_ws_visit *prev, *next; /* list of those without a handshake, oldest first */
    int64_t since_ms;
    struct addr addr; /* its bucket, if counted; otherwise the peer */
    size_t said_n;    /* bytes of its handshake seen so far */
    bool counted;     /* in door->addresses */
    bool by_proxy;    /* the client's address comes with the handshake */
    bool knocking;    /* its handshake is not complete */
};

struct srv_ws_door {
    struct ev_loop *loop;
    struct srv_ws *ws;
    struct lws_vhost *vhost;
    int fd; /* the listening socket; -1: closed */
    ev_io readable;
    struct srv_proxies proxies;
    struct srv_tally *addresses; /* NULL: no limit per address */
    size_t waiting_n, waiting_max, address_max;
    struct srv_ws_visit *first, *last; /* without a handshake yet */
    struct srv_ws_visit *adopting;     /* while libwebsockets adopts it; NULL if it has closed by then */
    int64_t beat_ms;                   /* of the last beat */
    bool paused;
    int64_t paused_until_ms; /* 0: until a visit ends */
    struct {
        int64_t by_address, late, pauses; /* since the last log line */
        int64_t at_ms;
    } told;
};

/* Accepts connections again after a pause. */
void srv_ws_door_resume(struct srv_ws_door *door);
/* Its handshake is complete, or it is too late for one. */
void srv_ws_visit_heard(struct srv_ws_visit *visit);
/* Counts it for its address; false: the address has reached its limit. */
bool srv_ws_visit_count(struct srv_ws_visit *visit, const struct addr *addr);
/* The visit is over, whoever owns its connection. */
void srv_ws_visit_end(struct srv_ws_visit *visit);
/* Sets a connection's address now that its head names the client behind a proxy. API_OK, or why it is
 * refused: for API_BAD_REQUEST *wrong is the header. */
enum api_code srv_ws_visit_address(struct srv_ws_visit *visit, const struct srv_forwarded *said,
                                   const char **wrong);
/* The visit is over; its connection has a new owner, or is closed. */
void srv_ws_visit_leave(struct srv_ws_visit *visit);

/* The next four accept a connection whose visit may already be over. */

/* What its handshake asked for; NULL: the visit is over. */
const struct srv_ws_asked *srv_ws_visit_asked(struct lws *wsi);
/* It has become a socket. */
void srv_ws_visit_shaken(struct lws *wsi);
/* Its ticket was accepted: the visit is over. */
void srv_ws_visit_let_in(struct lws *wsi);
/* It has closed. */
void srv_ws_visit_gone(struct lws *wsi);

#endif
