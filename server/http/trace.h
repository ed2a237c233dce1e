/* The trace of a request: its id in logs and responses, and its span if a collector is configured. */
#ifndef RUMMYD_SERVER_HTTP_TRACE_H
#define RUMMYD_SERVER_HTTP_TRACE_H

struct srv_http_request;

/* Reads the trace headers. On the loop's thread. */
void srv_http_trace_begin(struct srv_http_request *request);
/* Call when the request was answered or ended without a response. On the loop's thread. */
void srv_http_trace_end(const struct srv_http_request *request);
/* Makes the current worker work for this request (NULL: for none), so that its calls to other servers carry
 * the trace. On the worker's thread. */
void srv_http_trace_work(const struct srv_http_request *request);

#endif
