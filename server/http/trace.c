/* See trace.h. */
#include "server/http/trace.h"

#include <sodium.h>
#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/text.h"
#include "net/fetch.h"
#include "server/http/request.h"

enum { TRACE_ID_MIN = 8, PARENT_LEN = 55 };

/* Whether a client's id is safe to use unchanged in logs and responses. */
static bool request_id_ok(const char *id)
{
    size_t len = id ? strlen(id) : 0;
    return len >= TRACE_ID_MIN && len < API_TRACE_MAX &&
           strspn(id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-") == len;
}

/* Generates len random bytes as hexadecimal digits. */
static void draw(struct srv_http_loop *loop, char *out, size_t len)
{
    if (loop->random_n < len) {
        randombytes_buf(loop->random, sizeof(loop->random));
        loop->random_n = sizeof(loop->random);
    }
    loop->random_n -= len;
    text_hex(out, loop->random + loop->random_n, len);
}

/* Reads len bytes as lower-case hexadecimal digits, not all zero. */
static bool read_id(char *out, const char *from, size_t len)
{
    uint8_t id[16];
    if (text_unhex(id, sizeof(id), from, 2 * len) != (int)len || sodium_is_zero(id, len))
        return false;
    text_hex(out, id, len);
    return true;
}

/* Parses W3C's traceparent, "00-<trace>-<span>-<flags>". false: missing or invalid. */
static bool read_parent(struct srv_trace *trace, const char *given, bool *sampled)
{
    uint8_t flags;
    if (!given || strlen(given) < PARENT_LEN || strncmp(given, "00-", 3) != 0 || given[35] != '-' ||
        !read_id(trace->id, given + 3, 16))
        return false;
    bool whole = given[52] == '-' && read_id(trace->parent, given + 36, 8) &&
                 text_unhex(&flags, 1, given + 53, 2) == 1;
    if (!whole)
        trace->parent[0] = '\0';
    *sampled = !whole || (flags & 1);
    return true;
}

/* Takes the trace id from traceparent, otherwise X-Request-Id, otherwise random digits. With X-Request-Id,
 * the trace has a separate id in the collector, which requires 32 digits. */
void srv_http_trace_begin(struct srv_http_request *request)
{
    struct srv_trace *trace = &request->trace;
    bool sampled = true, traced = request->loop->http->traces != NULL;
    bool given = read_parent(trace, request->headers.traceparent, &sampled);
    bool named = !given && request_id_ok(request->headers.request_id);
    if (!given && (traced || !named))
        draw(request->loop, trace->id, 16);
    (void)snprintf(request->api.trace_id, sizeof(request->api.trace_id), "%s",
                   named ? request->headers.request_id : trace->id);
    if (traced && sampled)
        draw(request->loop, trace->span, 8);
}

void srv_http_trace_end(const struct srv_http_request *request)
{
    const struct api_route *route = request->api.route;
    struct srv_traces *traces = request->loop->http->traces;
    if (!traces || !route || !request->trace.span[0] || strncmp(route->path, "/v1/", 4) != 0)
        return;
    srv_traces_put(traces, &(struct srv_span){
                               .trace = request->trace,
                               .method = route->method,
                               .route = route->path,
                               .operation = route->id,
                               .code = request->problem != API_OK ? api_code_name(request->problem) : NULL,
                               .status = request->status,
                               .end_ms = clock_unix_ms(),
                               .took_ns = clock_mono_ns() - request->began_ns,
                           });
}

void srv_http_trace_work(const struct srv_http_request *request)
{
    char text[PARENT_LEN + 1];
    bool traced = request && request->trace.span[0];
    if (traced)
        (void)snprintf(text, sizeof(text), "00-%s-%s-01", request->trace.id, request->trace.span);
    net_fetch_trace(traced ? text : NULL);
}
