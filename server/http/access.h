/* The access log: one line per request, with the operation but never the path, because a path holds ids and
 * codes. Successful reads are sampled; writes and rejected requests are always logged, within the limit of
 * lines per second. Owned by one loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_ACCESS_H
#define RUMMYD_SERVER_HTTP_ACCESS_H

#include "base/log_budget.h"

struct srv_http_request;
struct srv_http_loop;

/* All zero at startup. */
struct srv_access {
    struct log_budget budget;
    int64_t reads; /* successful ones, logged or not */
};

/* The request was answered, or ended without an answer: writes its access line, its security event if it was
 * one, and its span. */
void srv_access_note(struct srv_http_request *request);
/* Logs how many lines were left out, if any. Call once per second. */
void srv_access_sweep(struct srv_http_loop *loop);

#endif
