/* Stands between a connection and the daemon: the daemon reads only what framing.h has cleared. In the place
 * of a head that is refused it gets a plain request, and in the place of chunks that are refused the end of
 * the body; for the request of that number srv_http_guard_refusal then says why, so the refusal is a response
 * like others, behind the responses of the requests before it. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_GUARD_H
#define RUMMYD_SERVER_HTTP_GUARD_H

#include "base/tap.h"
#include "server/http/framing.h"

struct srv_http_guard {
    struct tap tap;
    struct srv_http_framing framing;
    int64_t heard_ms; /* when bytes came last (clock_mono_ms) */
    char *held;       /* what has come and is not the daemon's yet; NULL: nothing */
    size_t held_n;    /* bytes of it, */
    size_t clear_n;   /* of which so many are cleared */
};

/* From now on; before the daemon first reads. false: memory is short. */
bool srv_http_guard_begin(struct srv_http_guard *guard, int fd);
/* Before the descriptor is closed. */
void srv_http_guard_end(struct srv_http_guard *guard, int fd);
/* A part of a request has come, and the rest has not. */
bool srv_http_guard_awaits(const struct srv_http_guard *guard);
/* The daemon begins with request number n of the connection, from 0 on. false: it has read past the guard. */
bool srv_http_guard_saw(const struct srv_http_guard *guard, uint64_t n);
/* Why request number n is refused; NULL: it is not, so far. */
const struct srv_refusal *srv_http_guard_refusal(const struct srv_http_guard *guard, uint64_t n);

#endif
