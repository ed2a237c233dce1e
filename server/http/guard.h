/* A filter between a connection and the daemon: the daemon reads only bytes that framing.h has cleared. It
 * gets a plain request instead of a rejected head, and the end of the body instead of rejected chunks.
 * srv_http_guard_refusal then returns the reason for that request, so that the error is a normal response,
 * after those to earlier requests. Loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_GUARD_H
#define RUMMYD_SERVER_HTTP_GUARD_H

#include "base/recv_hook.h"
#include "server/http/framing.h"

struct srv_http_guard {
    struct recv_hook hook;
    struct srv_http_framing framing;
    int64_t heard_ms; /* when bytes last arrived (clock_mono_ms) */
    char *held;       /* received but not yet passed to the daemon; NULL: nothing */
    size_t held_n;    /* bytes held */
    size_t clear_n;   /* cleared bytes at the start of held */
};

/* Call before the daemon's first read. false: out of memory. */
bool srv_http_guard_begin(struct srv_http_guard *guard, int fd);
/* Call before the descriptor is closed. */
void srv_http_guard_end(struct srv_http_guard *guard, int fd);
/* Whether a request has arrived only in part. */
bool srv_http_guard_awaits(const struct srv_http_guard *guard);
/* Call when the daemon begins request number n (from 0) of the connection. false: it has received bytes
 * that bypassed the guard. */
bool srv_http_guard_saw(const struct srv_http_guard *guard, uint64_t n);
/* Why request number n is rejected; NULL: it is not, or not yet. */
const struct srv_refusal *srv_http_guard_refusal(const struct srv_http_guard *guard, uint64_t n);

#endif
