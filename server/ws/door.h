/* The door of the WebSocket front: it accepts connections, hands those that say a handshake to libwebsockets,
 * and bounds all that have shown no good ticket, in number, each address's share and time. Hub thread. */
#ifndef RUMMYD_SERVER_WS_DOOR_H
#define RUMMYD_SERVER_WS_DOOR_H

#include <ev.h>
#include <libwebsockets.h>

#include "api/problem.h"
#include "base/tap.h"
#include "server/proxies.h"
#include "server/tally.h"
#include "server/ws/ws.h"

enum {
    WS_HANDSHAKE_MS_MAX = 5000, /* from accept to a whole handshake; */
    WS_CROWDED_MS_MAX = 500,    /* while others wait to be accepted. What they say is there by then */
    WS_ACCEPT_MAX = 16,         /* connections of one turn of the loop */
    WS_SILENCE_MS_MAX = 500,    /* of our own, within which nobody is late */
    WS_LATE_MAX = 20,           /* of those that are late closed in one beat: a move does not wait for more */
    WS_SHORT_PAUSE_MS = 1000,   /* when the machine has no descriptor or memory for more */
    WS_TOLD_EVERY_MS = 1000,    /* a line in the log about who was refused */
    SRV_WS_ORIGIN_MAX = 256,    /* bytes of an origin, with the NUL; a longer one is none of ours */
    SRV_WS_KEY_MAX = 25,        /* of Sec-WebSocket-Key */
};

/* What a good handshake asks for (asked.h). */
struct srv_ws_asked {
    int64_t table_id, since; /* table_id 0: the lobby; since -1: all */
    size_t head_n;           /* bytes of the head, which are still in the kernel: of a socket */
    char ticket[96];
    char key[SRV_WS_KEY_MAX];
    char origin[SRV_WS_ORIGIN_MAX]; /* that may read the answer; "": none was named */
};

/* A connection on its way in: from accept until its ticket was good or it is gone. */
struct srv_ws_visit {
    struct srv_ws_door *door;
    int fd;
    ev_io heard;    /* until its handshake is there; */
    struct tap tap; /* what libwebsockets reads in its place, */
    bool tapped;    /* if it has not read it yet */
    struct srv_ws_asked asked;
    struct lws *wsi;                  /* then it is libwebsockets' */
    struct srv_ws_visit *prev, *next; /* of those whose handshake has not come, oldest first */
    int64_t since_ms;
    struct addr addr; /* its bucket, if counted; else who is connected */
    size_t said_n;    /* bytes of its handshake that have been looked at */
    bool counted;     /* in door->addresses */
    bool by_proxy;    /* whose it is comes with the handshake */
    bool knocking;    /* its handshake has not come */
};

struct srv_ws_door {
    struct ev_loop *loop;
    struct srv_ws *ws;
    struct lws_vhost *vhost;
    int fd; /* that listens; -1: closed */
    ev_io readable;
    struct srv_proxies proxies;
    struct srv_tally *addresses; /* NULL: no address has a bound */
    size_t waiting_n, waiting_max, address_max;
    struct srv_ws_visit *first, *last; /* that knock */
    struct srv_ws_visit *adopting;     /* while libwebsockets takes it; NULL if it is gone by then */
    int64_t beat_ms;                   /* of the last beat */
    bool paused;
    int64_t paused_until_ms; /* 0: until somebody has gone */
    struct {
        int64_t by_address, late, pauses; /* since they were told */
        int64_t at_ms;
    } told;
};

/* Listens; nobody is let in before srv_ws_door_open. false: error is one sentence. */
bool srv_ws_door_init(struct srv_ws_door *door, const struct srv_ws_config *config, char *error,
                      size_t error_cap);
bool srv_ws_door_open(struct srv_ws_door *door, struct ev_loop *loop, struct srv_ws *ws,
                      struct lws_vhost *vhost);
/* No more connections, and none that has said no handshake yet. The others go with libwebsockets' context,
 * which is to be destroyed before _free. */
void srv_ws_door_close(struct srv_ws_door *door);
void srv_ws_door_free(struct srv_ws_door *door);
/* Every SRV_WS_BEAT_MS: closes who is late, goes on after a pause, tells the log. */
void srv_ws_door_beat(struct srv_ws_door *door, int64_t now_ms);

/* Whose a connection is, now that its head says for whom a proxy speaks. API_OK, or why it is refused: of
 * API_BAD_REQUEST *wrong is the header. */
enum api_code srv_ws_door_address(struct srv_ws_visit *visit, const struct srv_forwarded *said,
                                  const char **wrong);
/* The visit is over; its connection is somebody else's, or closed. */
void srv_ws_door_leave(struct srv_ws_visit *visit);

/* The next four take a connection whose visit may be over already. */

/* What its handshake asked for; NULL: the visit is over. */
const struct srv_ws_asked *srv_ws_door_asked(struct lws *wsi);
/* It has become a socket. */
void srv_ws_door_shaken(struct lws *wsi);
/* Its ticket was good: the visit is over. */
void srv_ws_door_let_in(struct lws *wsi);
/* It is gone. */
void srv_ws_door_gone(struct lws *wsi);

#endif
