/* One HTTP request: from the daemon's callbacks to its response. Owned by one loop's thread; while a worker
 * has it, nothing else touches its `api`. */
#ifndef RUMMYD_SERVER_HTTP_REQUEST_H
#define RUMMYD_SERVER_HTTP_REQUEST_H

#include "server/http/loop.h"

enum srv_http_state {
    HTTP_NEW,     /* only the request line is known */
    HTTP_BODY,    /* accepted; its body is being received */
    HTTP_REFUSED, /* its body is read and discarded, then `response` is queued */
    HTTP_WAITING, /* suspended: waits for the database or a worker */
    HTTP_READY,   /* resumed; `response` can be queued */
    HTTP_SENT,
};

/* The relevant headers, found in one pass; borrowed from the connection. */
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
    const char *no_client; /* the proxy header that could not be interpreted; NULL: none */
    bool last;             /* its connection closes after its response */
    const char *method;
    struct srv_http_headers headers;
    const char *origin; /* NULL, or an allowed origin */
    char *body;         /* body_cap bytes */
    size_t body_len, body_cap;
    size_t body_over; /* bytes received beyond it */
    int steps;
    bool place; /* it has a reserved slot in the workers' queue */
    struct api_rate_state limit;
    struct api_match match;
    struct api_request api;
    struct srv_trace trace;
    struct MHD_Response *response;
    unsigned int status;
    enum api_code problem; /* API_OK: the response is not a problem */
    const char *no_route;  /* what a request without an operation was: a literal, or NULL */
    size_t bytes;          /* of the response body */
    struct srv_http_stream {
        bool on; /* it has a slot, and is in loop->streams */
        struct srv_http_request *prev, *next;
        char *text; /* the chunk being sent; NULL: none */
        size_t at, len;
        bool failed; /* the rest is unavailable: the connection is cut */
    } stream;
};

/* --- request.c: the daemon's callbacks --- */

void *srv_http_on_uri(void *loop, const char *uri, struct MHD_Connection *connection);
enum MHD_Result srv_http_on_request(void *loop, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *upload,
                                    size_t *upload_len, void **request);
void srv_http_on_completed(void *loop, struct MHD_Connection *connection, void **request,
                           enum MHD_RequestTerminationCode how);
void srv_http_on_connection(void *loop, struct MHD_Connection *connection, void **conn,
                            enum MHD_ConnectionNotificationCode how);

/* --- reply.c --- */

/* Makes `response` from the contents of `api`. If memory is short, the connection closes. */
void srv_http_reply_make(struct srv_http_request *request);
/* A problem with the data in `api`, whatever else `api` holds so far. */
void srv_http_reply_problem(struct srv_http_request *request, enum api_code code);
/* The same with a list of all faults of the request; NULL: no list. */
void srv_http_reply_faults(struct srv_http_request *request, enum api_code code,
                           const struct api_faults *faults);
/* For a request rejected by the guard; its connection ends. */
void srv_http_reply_refusal(struct srv_http_request *request, const struct srv_refusal *refusal);
/* The same for one header. */
void srv_http_reply_header(struct srv_http_request *request, enum api_code code, const char *name,
                           enum api_fault_code fault);
/* The answer to a CORS preflight. */
void srv_http_reply_preflight(struct srv_http_request *request);
/* Headers of every response. */
void srv_http_reply_headers(struct srv_http_request *request, struct MHD_Response *response);

/* --- static.c --- */

/* A file of web_dir, or its page for any path of the application. false: not found. */
bool srv_http_static(struct srv_http_request *request, const char *path);

/* --- page.c --- */

/* The route that answers a path of the page, robots.txt, or sitemap.xml; NULL for any other path. */
const struct api_route *srv_http_page(const struct srv_http *http, const char *path);
bool srv_http_is_page(const struct api_route *route);

/* --- rest.c --- */

/* Checks before the body: token, limits, Idempotency-Key. false: a problem was set. */
bool srv_rest_admit(struct srv_http_request *request);
/* Responds that the limit in request->limit is used up. */
void srv_rest_rate_limited(struct srv_http_request *request);
/* The body is complete: runs the endpoint until it has answered or waits. */
void srv_rest_begin(struct srv_http_request *request);
/* A worker has finished it. */
void srv_rest_returned(struct srv_http_request *request);
/* The result of a waiting request's statement; arg: the request. */
void srv_rest_rows(void *arg, const struct db_reply *reply);
/* Sends a waiting request's read to the primary because the standby did not answer it. */
void srv_rest_read_primary(struct srv_http_request *request);
/* The port of the same name. */
const char *srv_rest_header(const struct api_request *api, const char *name);

/* Suspends it, in any state; and ends that. */
void srv_rest_wait(struct srv_http_request *request);
void srv_rest_go_on(struct srv_http_request *request, enum srv_http_state state);
/* Prepares for a step of the endpoint: its arguments and its answer. */
void srv_rest_prepare(struct srv_http_request *request);

/* --- stream.c: complete lists, streamed chunk by chunk (api/page.h) --- */

/* Reserves a slot for it. false: all are taken. */
bool srv_http_stream_place(struct srv_http_request *request);
/* Makes `response` of the first chunk, which `api` holds. false: out of memory. */
bool srv_http_stream_begin(struct srv_http_request *request);
/* The request has ended: releases its slot, if any. */
void srv_http_stream_end(struct srv_http_request *request);

/* --- workers.c --- */

enum srv_http_pool { HTTP_POOL_HASH, HTTP_POOL_PAYMENTS, HTTP_POOL_SIGN_IN }; /* for the metrics */
struct srv_http_workers *srv_http_workers_new(enum srv_http_pool pool, int threads_n);
/* Waits for running work. */
void srv_http_workers_free(struct srv_http_workers *workers);
/* Reserves a slot in the queue for a request that will need it later. A request with a slot is never
 * rejected, so earlier work for it is not wasted. false: all are taken. Any loop's thread. */
bool srv_http_workers_place(struct srv_http_workers *workers);
void srv_http_workers_place_free(struct srv_http_workers *workers);
/* Runs request->api.work, then returns it to its loop's `returned`. false: overloaded. */
bool srv_http_workers_give(struct srv_http_workers *workers, struct srv_http_request *request);

#endif
