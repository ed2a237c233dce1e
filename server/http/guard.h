/* A filter between a connection and the daemon: the daemon reads only what framing.h has cleared. For a
 * rejected head it gets a plain request instead, and for rejected chunks the end of the body;
 * srv_http_guard_refusal then has the reason for the request of that number, so the error is a normal
 * response, after the responses to earlier requests. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_GUARD_H
#define RUMMYD_SERVER_HTTP_GUARD_H

#include "base/recv_hook.h"
#include "server/http/framing.h"

struct srv_http_guard {
    struct recv_hook hook;
    struct srv_http_framing framing;
    int64_t heard_ms; /* when bytes last arrived (clock_mono_ms) */
    char *held;       /* received but not passed to the daemon yet; NULL: nothing */
    size_t held_n;    /* number of bytes held, */
    size_t clear_n;   /* of which this many are cleared */
};

/* Install before the daemon's first read. false: out of memory. */
bool srv_http_guard_begin(struct srv_http_guard *guard, int fd);
/* Call before the descriptor is closed. */
void srv_http_guard_end(struct srv_http_guard *guard, int fd);
/* Part of a request has arrived, but not all of it. */
bool srv_http_guard_awaits(const struct srv_http_guard *guard);
/* The daemon begins request number n of the connection, from 0 on. false: it has read past the guard. */
bool srv_http_guard_saw(const struct srv_http_guard *guard, uint64_t n);
/* Why request number n is rejected; NULL: it is not, so far. */
const struct srv_refusal *srv_http_guard_refusal(const struct srv_http_guard *guard, uint64_t n);

#endif
