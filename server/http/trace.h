/* The trace that a request belongs to: its id in logs and answers, and its span, if a collector is named. */
#ifndef RUMMYD_SERVER_HTTP_TRACE_H
#define RUMMYD_SERVER_HTTP_TRACE_H

struct srv_http_request;

/* From its headers. Of its loop's thread. */
void srv_http_trace_begin(struct srv_http_request *request);
/* It was answered, or has ended without an answer. The same thread. */
void srv_http_trace_end(const struct srv_http_request *request);
/* What a worker does from here on is done for this request (NULL: for none): other servers that it asks are
 * told. Of that worker's thread. */
void srv_http_trace_work(const struct srv_http_request *request);

#endif
