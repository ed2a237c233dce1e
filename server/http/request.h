/* An HTTP request, from the daemon's callbacks to its response. Owned by one loop's thread; while a worker
 * runs it, only the worker uses its `api`. */
#ifndef RUMMYD_SERVER_HTTP_REQUEST_H
#define RUMMYD_SERVER_HTTP_REQUEST_H

#include "server/http/loop.h"

enum srv_http_state {
    HTTP_NEW,     /* only the request line is known */
    HTTP_BODY,    /* accepted; its body is being received */
    HTTP_REFUSED, /* its body is read and discarded, then `response` is queued */
    HTTP_WAITING, /* suspended; waits for the database or a worker */
    HTTP_READY,   /* resumed; `response` can be queued */
    HTTP_SENT,
};

/* The headers used here, collected in one pass; the connection owns the strings. */
struct srv_http_headers {
    const char *length, *encoding, *type, *authorization, *idempotency_key, *if_none_match, *origin;
    const char *accept_encoding, *accept_language;
    const char *traceparent, *request_id;
    struct srv_forwarded forwarded;
};

struct srv_http_request {
    struct srv_http_loop *loop;
    struct MHD_Connection *connection;
    struct srv_http_conn *conn;
    struct srv_http_request *prev, *next; /* in loop->waiting */
    enum srv_http_state state;
    int64_t began_ns;
    uint64_t nth;           /* number within its connection, from 0 */
    char uri[HTTP_URI_MAX]; /* as sent, without the query */
    bool uri_bad, uri_long;
    const char *no_client; /* the invalid proxy header; NULL: none */
    bool last;             /* its connection closes after its response */
    const char *method;
    struct srv_http_headers headers;
    const char *origin; /* NULL, or an allowed origin */
    char *body;         /* body_cap bytes */
    size_t body_len, body_cap;
    size_t body_over; /* bytes received beyond body_cap */
    int steps;
    bool place; /* it has a reserved slot in the workers' queue */
    struct api_rate_state limit;
    struct api_match match;
    struct api_request api;
    struct srv_trace trace;
    struct MHD_Response *response;
    unsigned int status;
    enum api_code problem; /* API_OK: the response is not a problem */
    const char *no_route;  /* describes a request without an operation: a literal, or NULL */
    size_t bytes;          /* bytes of the response body */
    struct srv_http_stream {
        bool on; /* it has a slot, and is in loop->streams */
        struct srv_http_request *prev, *next;
        char *text; /* the chunk being sent; NULL: none */
        size_t at, len;
        bool failed; /* the rest is unavailable: the connection is cut */
    } stream;
};

/* ---- request.c: the daemon's callbacks ---- */

void *srv_http_on_uri(void *loop, const char *uri, struct MHD_Connection *connection);
enum MHD_Result srv_http_on_request(void *loop, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *upload,
                                    size_t *upload_len, void **request);
void srv_http_on_completed(void *loop, struct MHD_Connection *connection, void **request,
                           enum MHD_RequestTerminationCode how);

#endif
