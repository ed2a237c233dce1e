/* Accepts connections for the WebSocket front end, hands those with a handshake to libwebsockets, and
 * limits connections without an accepted ticket in total, per address, and in time. Hub thread. */
#ifndef RUMMYD_SERVER_WS_ACCEPTOR_H
#define RUMMYD_SERVER_WS_ACCEPTOR_H

#include "server/ws/pending.h"

enum {
    WS_HANDSHAKE_MS_MAX = 5000, /* from accept to a complete handshake; */
    WS_CROWDED_MS_MAX = 500,    /* while others wait to be accepted; well-behaved clients are faster */
    WS_ACCEPT_MAX = 16,         /* connections per loop iteration */
    WS_SILENCE_MS_MAX = 500,    /* pause of this process after which no connection counts as late */
    WS_LATE_MAX = 20,           /* late connections closed per beat, so that moves do not wait long */
    WS_SHORT_PAUSE_MS = 1000,   /* pause if the system is out of descriptors or memory */
    WS_LOG_EVERY_MS = 1000,     /* minimum interval of log lines about refused connections */
};

/* Listens; no connection is accepted before srv_ws_acceptor_open. false: error is one sentence. */
bool srv_ws_acceptor_init(struct srv_ws_acceptor *acceptor, const struct srv_ws_config *config, char *error,
                          size_t error_cap);
bool srv_ws_acceptor_open(struct srv_ws_acceptor *acceptor, struct ev_loop *loop, struct srv_ws *ws,
                          struct lws_vhost *vhost);
/* Stops accepting and closes connections without a handshake. The others end with libwebsockets' context,
 * which must be destroyed before srv_ws_acceptor_free. */
void srv_ws_acceptor_close(struct srv_ws_acceptor *acceptor);
void srv_ws_acceptor_free(struct srv_ws_acceptor *acceptor);
/* Call every SRV_WS_BEAT_MS. Closes late connections, resumes after a pause, and logs refused
 * connections. */
void srv_ws_acceptor_beat(struct srv_ws_acceptor *acceptor, int64_t now_ms);

#endif
