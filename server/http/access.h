/* The access log: a line a request, by the operation and never by its path, for a path holds ids and codes.
 * Reads that went well are sampled; what writes or was refused is there, as far as the lines of a second
 * reach. Of one loop's thread. */
#ifndef RUMMYD_SERVER_HTTP_ACCESS_H
#define RUMMYD_SERVER_HTTP_ACCESS_H

#include "base/log_budget.h"

struct srv_http_request;
struct srv_http_loop;

/* All zero at the start. */
struct srv_access {
    struct log_budget budget;
    int64_t reads; /* that went well, logged or not */
};

/* The request was answered, or has ended without an answer: its line, that of the security event it was, its
 * span. */
void srv_access_note(struct srv_http_request *request);
/* Tells of lines that were left out, if any were. Once a second. */
void srv_access_sweep(struct srv_http_loop *loop);

#endif
