/* The access log: one line per request, with the operation but never the path, because paths contain ids
 * and codes. Successful reads are sampled; writes and rejected requests are always logged, up to the limit
 * of lines per second. Owned by one loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_ACCESS_H
#define RUMMYD_SERVER_HTTP_ACCESS_H

#include "base/log_budget.h"

struct srv_http_request;
struct srv_http_loop;

/* All zero at startup. */
struct srv_access {
    struct log_budget budget;
    int64_t reads; /* successful reads, logged or not */
};

/* Call when a request has been answered or has ended without an answer. Writes its access line, its span,
 * and any security event. */
void srv_access_note(struct srv_http_request *request);
/* Logs the number of dropped lines, if any. Call once per second. */
void srv_access_sweep(struct srv_http_loop *loop);

#endif
