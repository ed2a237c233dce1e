/* The trace that a request belongs to: its id in logs and responses, and its span, if a collector is
 * configured. */
#ifndef RUMMYD_SERVER_HTTP_TRACE_H
#define RUMMYD_SERVER_HTTP_TRACE_H

struct srv_http_request;

/* Reads the headers. On the loop's thread. */
void srv_http_trace_begin(struct srv_http_request *request);
/* The request was answered, or ended without a response. On the loop's thread. */
void srv_http_trace_end(const struct srv_http_request *request);
/* What this worker does from now on belongs to this request (NULL: to none), which is passed on to other
 * servers. On the worker's thread. */
void srv_http_trace_work(const struct srv_http_request *request);

#endif
