/* Makes the daemon's response from an answered request or a problem, with the headers of every response.
 * See reply.h. Loop's thread. */
#include "server/http/reply.h"

#include "base/bug.h"
#include "base/log.h"
#include "server/http/compress.h"
#include "server/http/cors.h"
#include "server/http/csp.h"
#include "server/http/page.h"
#include "server/http/reply_headers.h"
#include "server/http/static.h"
#include "server/http/stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ACCEPT_PATCH "application/merge-patch+json, application/json" /* RFC 5789 */
#define CSP_OF_DATA "default-src 'none'; frame-ancestors 'none'"

static void put(struct MHD_Response *response, const char *name, const char *value)
{
    (void)MHD_add_response_header(response, name, value); /* fails only if memory runs out */
}

static void put_int(struct MHD_Response *response, const char *name, int64_t value)
{
    char text[24];
    (void)snprintf(text, sizeof(text), "%lld", (long long)value);
    put(response, name, text);
}

/* Adds the headers of every response. */
static void dress(struct srv_http_request *request, unsigned int status, const char *content_type)
{
    request->status = status;
    if (!request->response)
        return;
    srv_http_reply_headers(request, request->response);
    if (content_type)
        put(request->response, "Content-Type", content_type);
}

/* Copies the bytes, because the loop reuses their memory. */
static void make(struct srv_http_request *request, unsigned int status, const char *content_type,
                 const char *bytes, size_t len)
{
    ASSERT(!request->response && status >= 200 && status < 600);
    request->bytes = len;
    /* The cast is safe, because the daemon only copies the bytes. */
    request->response = MHD_create_response_from_buffer(len, (void *)(uintptr_t)bytes, MHD_RESPMEM_MUST_COPY);
    dress(request, status, content_type);
}

/* Like make, with a content coding and its Content-Encoding header. */
static void make_coded(struct srv_http_request *request, enum api_coding coding, const char *bytes,
                       size_t len)
{
    void *coded = srv_http_compress(coding, bytes, len, &request->bytes);
    if (!coded) {
        srv_http_reply_problem(request, API_BUSY);
        return;
    }
    request->response = MHD_create_response_from_buffer(request->bytes, coded, MHD_RESPMEM_MUST_FREE);
    if (!request->response)
        free(coded);
    dress(request, MHD_HTTP_OK, request->api.content_type);
    if (request->response)
        put(request->response, "Content-Encoding", api_coding_name(coding));
}

/* Adds the headers that a client needs to react to a problem. */
static void put_problem_headers(struct srv_http_request *request, enum api_code code, int64_t retry_s)
{
    struct MHD_Response *response = request->response;
    int status = api_code_status(code);
    ASSERT(status >= 400);
    put(response, "Cache-Control", "no-store");
    put(response, "Content-Security-Policy", CSP_OF_DATA);
    if (status == 401)
        put(response, "WWW-Authenticate",
            code == API_TOKEN_MISSING || code == API_API_KEY_MISSING ? "Bearer"
                                                                     : "Bearer error=\"invalid_token\"");
    if (status == 405) {
        char allow[API_ALLOW_MAX];
        api_match_allow(&request->match, allow);
        put(response, "Allow", allow);
    }
    if (status == 415 && strcmp(request->method, "PATCH") == 0)
        put(response, "Accept-Patch", ACCEPT_PATCH);
    if (retry_s > 0)
        put_int(response, "Retry-After", retry_s);
}

void srv_http_reply_problem(struct srv_http_request *request, enum api_code code)
{
    srv_http_reply_faults(request, code, NULL);
}

void srv_http_reply_faults(struct srv_http_request *request, enum api_code code,
                           const struct api_faults *faults)
{
    /* If the server cannot fill the head of a page, the browser still gets the page. */
    if (srv_http_is_page(request->api.route) && srv_http_static(request, "/"))
        return;
    struct buf out = buf_on(request->loop->scratch, API_REPLY_MAX);
    request->problem = code;
    struct api_problem_data data = request->api.data;
    bool later = api_code_status(code) == 429 || api_code_status(code) == 503;
    data.retry_s = !later ? 0 : data.retry_s > 0 ? data.retry_s : 1;
    api_problem_write(&out, code, &data, request->uri, request->api.trace_id, faults);
    ASSERT(!out.full);
    if (api_code_status(code) == 500)
        log_error("http_internal", LOG_TEXT("trace_id", request->api.trace_id),
                  LOG_TEXT("operation", request->api.route ? request->api.route->id : "none"));
    make(request, (unsigned int)api_code_status(code), "application/problem+json", out.data, out.len);
    if (request->response)
        put_problem_headers(request, code, data.retry_s);
}

void srv_http_reply_header(struct srv_http_request *request, enum api_code code, const char *name,
                           enum api_fault_code fault)
{
    struct api_faults faults = {.n = 1, .list = {{.code = fault, .place = API_FAULT_HEADER}}};
    api_fault_name(&faults.list[0], name, strlen(name));
    srv_http_reply_faults(request, code, &faults);
}

void srv_http_reply_refusal(struct srv_http_request *request, const struct srv_refusal *refusal)
{
    request->last = true;
    if (refusal->fault)
        srv_http_reply_header(request, refusal->code, refusal->name, refusal->fault);
    else
        srv_http_reply_problem(request, refusal->code);
}

void srv_http_reply_preflight(struct srv_http_request *request)
{
    char allow[API_ALLOW_MAX];
    make(request, MHD_HTTP_NO_CONTENT, NULL, "", 0);
    if (!request->response)
        return;
    api_match_allow(&request->match, allow);
    request->no_route = "preflight";
    put(request->response, "Content-Security-Policy", CSP_OF_DATA);
    put(request->response, "Allow", allow);
    if (strstr(allow, "PATCH"))
        put(request->response, "Accept-Patch", ACCEPT_PATCH);
    if (!request->origin)
        return;
    put(request->response, "Access-Control-Allow-Methods", allow);
    put(request->response, "Access-Control-Allow-Headers", CORS_REQUEST_HEADERS);
    put(request->response, "Access-Control-Max-Age", CORS_PREFLIGHT_S);
}

/* Only the user's browser may cache a response. Vary: Authorization makes another user of the same browser
 * send a new request. */
static void put_cache(struct MHD_Response *response, const struct api_request *api)
{
    char kept[40];
    (void)snprintf(kept, sizeof(kept), "private, max-age=%d", API_KEPT_S);
    put(response, "Cache-Control", api->route->kept ? kept : api->etag[0] ? "private, no-cache" : "no-store");
    if (api->route->kept)
        put(response, "Vary", "Authorization");
    if (srv_http_is_page(api->route))
        put(response, "Vary", "Accept-Language");
    if (api_coding_may(api))
        put(response, "Vary", "Accept-Encoding");
    if (api->etag[0])
        put(response, "ETag", api->etag);
}

/* With a download name, the browser saves the response instead of displaying it. */
static void put_file_name(struct MHD_Response *response, const char *name)
{
    char text[API_FILE_NAME_MAX + 32];
    (void)snprintf(text, sizeof(text), "attachment; filename=\"%s\"", name);
    put(response, "Content-Disposition", text);
}

void srv_http_reply_make(struct srv_http_request *request)
{
    const struct api_request *api = &request->api;
    if (api->code == API_OK && api->out->full) {
        log_error("http_reply_too_long", LOG_TEXT("trace_id", api->trace_id),
                  LOG_TEXT("operation", api->route->id));
        srv_http_reply_problem(request, API_INTERNAL);
        return;
    }
    if (api->code != API_OK) {
        srv_http_reply_faults(request, api->code, api->faults);
        return;
    }
    ASSERT(api->status >= 200);
    const char *bytes = api->sent ? api->sent : api->out->data;
    size_t len = api->sent ? api->sent_len : api->out->len;
    enum api_coding coding = api_coding_of(api);
    if (api->streams && srv_http_stream_begin(request))
        dress(request, (unsigned int)api->status, api->content_type);
    else if (coding != API_IDENTITY)
        make_coded(request, coding, bytes, len);
    else if (!api->streams)
        make(request, (unsigned int)api->status, len > 0 ? api->content_type : NULL, bytes, len);
    if (!request->response || request->problem != API_OK)
        return;
    bool page = api->content_type && strncmp(api->content_type, "text/html", 9) == 0;
    char csp[HTTP_CSP_MAX];
    if (page)
        srv_http_csp(request->loop->http, false, csp);
    put(request->response, "Content-Security-Policy", page ? csp : CSP_OF_DATA);
    put_cache(request->response, api);
    if (api->file_name[0] && api->status == 200)
        put_file_name(request->response, api->file_name);
    if (api->status == 201 || api->status == 307)
        put(request->response, "Location", api->location[0] ? api->location : request->uri);
}
