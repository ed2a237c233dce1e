/* The daemon's callbacks: they validate a request, limit its body, and end it. The first call passes the
 * headers, further ones the body, and the last one (without data) requests the response. See request.h.
 * Loop's thread. */
#include "server/http/request.h"

#include "server/http/trace.h"

#include "base/addr.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/text.h"
#include "server/edge/origin.h"
#include "server/http/page.h"
#include "server/http/reply.h"
#include "server/http/rest.h"
#include "server/http/static.h"
#include "server/http/stream.h"
#include "server/operations/metrics.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- the request line --- */

/* Rejects encoded control characters, because a NUL would truncate the path. Also rejects encoded slashes
 * and backslashes in the path, because a proxy that protects a path treats them as letters, but we would
 * treat them as separators. */
static bool uri_is_odd(const char *uri)
{
    const char *query = uri + strcspn(uri, "?");
    for (const char *p = uri; *p; p++) {
        if (p[0] != '%' || !p[1] || !p[2])
            continue;
        bool slash =
            (p[1] == '2' && (p[2] == 'F' || p[2] == 'f')) || (p[1] == '5' && (p[2] == 'C' || p[2] == 'c'));
        if (p[1] == '0' || p[1] == '1' || (slash && p < query))
            return true;
    }
    return false;
}

void *srv_http_on_uri(void *arg, const char *uri, struct MHD_Connection *connection)
{
    struct srv_http_loop *loop = arg;
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    struct srv_http_request *request = calloc(1, sizeof(*request));
    struct srv_http_conn *conn = info ? info->socket_context : NULL;
    if (!request || !conn || !srv_http_guard_saw(&conn->guard, conn->requests_n)) {
        free(request);
        return NULL; /* the connection is closed */
    }
    request->loop = loop;
    request->connection = connection;
    request->conn = conn;
    request->nth = conn->requests_n++;
    request->conn->since_ms = clock_mono_ms();
    request->began_ns = clock_mono_ns();
    request->uri_long = strlen(uri) >= sizeof(request->uri);
    request->uri_bad = uri_is_odd(uri);
    (void)snprintf(request->uri, sizeof(request->uri), "%.*s", (int)strcspn(uri, "?"), uri);
    loop->requests_n++;
    return request;
}

void srv_http_on_completed(void *arg, struct MHD_Connection *connection, void **context,
                           enum MHD_RequestTerminationCode how)
{
    (void)connection;
    (void)how;
    struct srv_http_loop *loop = arg;
    struct srv_http_request *request = *context;
    if (!request)
        return;
    ASSERT(request->state != HTTP_WAITING); /* the daemon does not end suspended connections */
    if (request->state != HTTP_SENT)
        srv_access_note(request);
    request->conn->since_ms = clock_mono_ms();
    request->conn->answering = false;
    if (request->response)
        MHD_destroy_response(request->response);
    srv_http_stream_end(request);
    json_decref(request->api.json);
    free(request->api.own);
    free(request->api.faults);
    if (request->body)
        sodium_memzero(request->body, request->body_len); /* may contain passwords */
    free(request->body);
    free(request);
    loop->requests_n--;
    *context = NULL;
}

/* --- headers --- */

static enum MHD_Result on_header(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    struct srv_http_headers *h = arg;
    struct {
        const char *name;
        const char **value;
    } wanted[] = {
        {"Content-Length", &h->length},
        {"Transfer-Encoding", &h->encoding},
        {"Content-Type", &h->type},
        {"Authorization", &h->authorization},
        {"Idempotency-Key", &h->idempotency_key},
        {"If-None-Match", &h->if_none_match},
        {"Accept-Encoding", &h->accept_encoding},
        {"Accept-Language", &h->accept_language},
        {"Origin", &h->origin},
        {"traceparent", &h->traceparent},
        {"X-Request-Id", &h->request_id},
    };
    for (size_t i = 0; i < ARRAY_LEN(wanted); i++) {
        if (strcasecmp(name, wanted[i].name) != 0)
            continue;
        *wanted[i].value = value ? value : "";
        return MHD_YES;
    }
    if (strcasecmp(name, "X-Forwarded-For") == 0)
        srv_forwarded_add(&h->forwarded.x_forwarded_for, value ? value : "", value ? strlen(value) : 0);
    else if (strcasecmp(name, "Forwarded") == 0)
        srv_forwarded_add(&h->forwarded.forwarded, value ? value : "", value ? strlen(value) : 0);
    return MHD_YES;
}

/* Sets the client's address: the peer's, or the one that one of our proxies reports. well_formed rejects a
 * request whose proxy header is invalid; such a request does not count against any address. */
static void set_address(struct srv_http_request *request)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(request->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    struct addr addr;
    if (!info || !info->client_addr || !addr_of_sockaddr(info->client_addr, &addr)) {
        (void)snprintf(request->api.address, sizeof(request->api.address), "unknown");
        return;
    }
    request->no_client =
        srv_proxies_follow(&request->loop->http->proxies, &request->headers.forwarded, &addr);
    if (request->no_client)
        (void)snprintf(request->api.address, sizeof(request->api.address), "unknown");
    else
        addr_text(&addr, request->api.address);
}

/* --- the first call --- */

/* false: the request is rejected. */
static bool well_formed(struct srv_http_request *request)
{
    const struct srv_refusal *refusal = srv_http_guard_refusal(&request->conn->guard, request->nth);
    if (refusal)
        srv_http_reply_refusal(request, refusal);
    else if (request->uri_long)
        srv_http_reply_problem(request, API_URI_TOO_LONG);
    else if (request->uri_bad)
        srv_http_reply_problem(request, API_BAD_PATH);
    else if (request->no_client)
        srv_http_reply_header(request, API_BAD_REQUEST, request->no_client, API_FAULT_NOT_A_CLIENT);
    return !refusal && !request->uri_long && !request->uri_bad && !request->no_client;
}

static bool type_is(const char *type, const char *wanted)
{
    size_t len = strlen(wanted);
    return type && strncasecmp(type, wanted, len) == 0 &&
           (type[len] == '\0' || type[len] == ';' || type[len] == ' ');
}

/* All bodies are JSON. A PATCH is a merge patch (RFC 7396) under either media type. */
static bool type_fits(const char *method, const char *type)
{
    return type_is(type, "application/json") ||
           (strcmp(method, "PATCH") == 0 && type_is(type, "application/merge-patch+json"));
}

/* Rejects an invalid body by its headers, before reading it; otherwise allocates memory for it. */
static bool admit_body(struct srv_http_request *request)
{
    const struct srv_http_headers *h = &request->headers;
    const struct api_route *route = request->match.route;
    size_t bytes_max = route->body ? route->body->bytes_max : route->operation->raw_max;
    int64_t length = 0;
    bool chunked = h->encoding != NULL;
    if (h->length && !text_i64(h->length, 0, INT64_MAX, &length))
        length = INT64_MAX;
    if (length == 0 && !chunked)
        return true;
    if (bytes_max == 0) {
        srv_http_reply_problem(request, API_NO_BODY_TAKEN);
        return false;
    }
    if ((uint64_t)length > bytes_max) {
        request->api.data.bytes_max = (int64_t)bytes_max;
        srv_http_reply_problem(request, API_BODY_TOO_LARGE);
        return false;
    }
    if (!type_fits(request->method, h->type)) {
        srv_http_reply_header(request, API_UNSUPPORTED_MEDIA_TYPE, "Content-Type",
                              h->type ? API_FAULT_NOT_JSON : API_FAULT_MISSING);
        return false;
    }
    request->body_cap = chunked ? bytes_max : (size_t)length;
    request->body = malloc(request->body_cap);
    if (!request->body)
        srv_http_reply_problem(request, API_BUSY);
    return request->body != NULL;
}

struct query {
    struct api_request *api;
    struct api_faults faults;
};

static enum MHD_Result on_query(void *arg, enum MHD_ValueKind kind, const char *name, const char *value)
{
    (void)kind;
    struct query *query = arg;
    struct api_fault fault = {.place = API_FAULT_PARAMETER,
                              .code = api_query_take(query->api, name, value ? value : "")};
    if (fault.code == API_FAULT_NONE)
        return MHD_YES;
    size_t len = strlen(name);
    api_fault_name(&fault, name, text_utf8_ok(name, len) ? len : 0);
    api_faults_add(&query->faults, &fault);
    return MHD_YES;
}

/* Rejects unknown and repeated parameters, because with two values a proxy might use one and we the
 * other. */
static bool admit_query(struct srv_http_request *request)
{
    struct query query = {.api = &request->api, .faults = {.n = 0}};
    (void)MHD_get_connection_values(request->connection, MHD_GET_ARGUMENT_KIND, on_query, &query);
    if (query.faults.n > 0)
        srv_http_reply_faults(request, API_BAD_PARAMETER, &query.faults);
    return query.faults.n == 0;
}

/* Finds the endpoint, or the document or file of the page. */
static bool find_route(struct srv_http_request *request, const char *url)
{
    api_match(request->method, url, &request->match);
    if (request->match.route)
        return true;
    if (strcmp(request->method, "OPTIONS") == 0 && request->match.path_known) {
        srv_http_reply_preflight(request);
    } else if (request->match.path_known) {
        srv_http_reply_problem(request, API_METHOD_NOT_ALLOWED);
    } else {
        bool reads = strcmp(request->method, "GET") == 0 || strcmp(request->method, "HEAD") == 0;
        reads = reads && !api_path_is_ours(url);
        request->match.route = reads ? srv_http_page(request->loop->http, url) : NULL;
        if (request->match.route)
            return true;
        if (!reads || !srv_http_static(request, url))
            srv_http_reply_problem(request, API_NOT_FOUND);
    }
    return false;
}

/* Fills in the endpoint's part of the request from the headers. */
static void fill_request(struct srv_http_request *request)
{
    struct api_request *api = &request->api;
    struct srv_http *http = request->loop->http;
    api->env = &http->env;
    api->now_ms = clock_unix_ms();
    api->instance = request->uri;
    api->if_none_match = request->headers.if_none_match;
    api->accept_encoding = request->headers.accept_encoding;
    srv_http_trace_begin(request);
    set_address(request);
    const char *origin = request->headers.origin;
    if (origin && srv_origin_allowed(http->origins, http->dev, origin))
        request->origin = origin;
}

/* Counts a request that is rejected before any other rate limit toward the limit of refusals, and answers
 * with that limit's error once it is exceeded. This limits guesses of tokens, keys, and addresses. */
static void meter_refusal(struct srv_http_request *request)
{
    struct api_rate_limits *limits = request->loop->http->limits;
    struct api_request *api = &request->api;
    if (!limits || request->status < 400 || request->limit.name || request->no_client ||
        api_rate_limits_take(limits, API_RATE_REFUSED, 0, api->address, clock_mono_ms(), &request->limit))
        return;
    if (request->response)
        MHD_destroy_response(request->response);
    request->response = NULL;
    srv_rest_rate_limited(request);
}

/* Makes all checks that are possible before reading the body. true: read the body. */
static bool first_call(struct srv_http_request *request, const char *url, const char *method)
{
    request->began_ns = clock_mono_ns(); /* excludes the time spent waiting for the request */
    request->method = method;
    (void)MHD_get_connection_values(request->connection, MHD_HEADER_KIND, on_header, &request->headers);
    fill_request(request);
    if (!well_formed(request) || !find_route(request, url))
        return false;
    struct api_request *api = &request->api;
    api->route = request->match.route;
    memcpy(api->params, request->match.params, sizeof(api->params));
    return srv_rest_admit(request) && admit_query(request) && admit_body(request);
}

/* --- the body and the end --- */

/* false: the body exceeds the limit by so much that the connection must close. */
static bool take_body(struct srv_http_request *request, const char *upload, size_t len)
{
    size_t room = request->body_cap - request->body_len, fits = len < room ? len : room;
    if (fits > 0)
        memcpy(request->body + request->body_len, upload, fits);
    request->body_len += fits;
    request->body_over += len - fits;
    return request->body_over <= HTTP_SWALLOW_MAX;
}

static void count_response(const struct srv_http_request *request)
{
    static const enum srv_metric classes[] = {METRIC_HTTP_2XX, METRIC_HTTP_3XX, METRIC_HTTP_4XX,
                                              METRIC_HTTP_5XX};
    if (request->status >= 200 && request->status < 600)
        srv_metric_add(classes[request->status / 100 - 2], 1);
    srv_metric_time_us(METRIC_HTTP_TIME, (clock_mono_ns() - request->began_ns) / 1000);
}

static enum MHD_Result queue_response(struct srv_http_request *request)
{
    if (!request->response)
        return MHD_NO; /* no memory for a response, so the connection closes */
    enum MHD_Result queued = MHD_queue_response(request->connection, request->status, request->response);
    MHD_destroy_response(request->response);
    request->response = NULL;
    request->state = HTTP_SENT;
    request->conn->answering = true;
    count_response(request);
    srv_access_note(request);
    return queued;
}

/* Whether the connection can be kept after an error response to the head, by skipping a body of known
 * length. A response queued in the first call ends the connection, because a body might still follow.
 * Clients that send too much or wait for 100 Continue get their response at once. */
static bool may_follow(const struct srv_http_request *request)
{
    int64_t length = 0;
    const struct srv_http_headers *h = &request->headers;
    bool short_enough = !h->encoding && (!h->length || text_i64(h->length, 0, HTTP_SWALLOW_MAX, &length));
    bool waits = request->status == MHD_HTTP_CONTENT_TOO_LARGE ||
                 MHD_lookup_connection_value(request->connection, MHD_HEADER_KIND, MHD_HTTP_HEADER_EXPECT);
    return request->response && !request->last && short_enough && (length == 0 || !waits);
}

enum MHD_Result srv_http_on_request(void *arg, struct MHD_Connection *connection, const char *url,
                                    const char *method, const char *version, const char *upload,
                                    size_t *upload_len, void **context)
{
    (void)arg;
    (void)connection;
    (void)version;
    struct srv_http_request *request = *context;
    if (!request)
        return MHD_NO;
    switch (request->state) {
    case HTTP_NEW:
        if (!first_call(request, url, method)) {
            meter_refusal(request);
            if (!may_follow(request))
                return queue_response(request);
            request->state = HTTP_REFUSED;
            return MHD_YES;
        }
        request->state = HTTP_BODY;
        return MHD_YES;
    case HTTP_BODY:
        if (*upload_len > 0) {
            bool go_on = take_body(request, upload, *upload_len);
            *upload_len = 0;
            return go_on ? MHD_YES : MHD_NO;
        }
        if (well_formed(request)) /* including chunks */
            srv_rest_begin(request);
        return request->state == HTTP_BODY ? queue_response(request) : MHD_YES;
    case HTTP_REFUSED:
        if (*upload_len > 0) {
            *upload_len = 0; /* discards the body; see may_follow */
            return MHD_YES;
        }
        return queue_response(request);
    case HTTP_WAITING:
        return MHD_YES;
    case HTTP_READY:
        return queue_response(request);
    case HTTP_SENT:
        return MHD_YES;
    }
    BUG("http: unknown state");
}
