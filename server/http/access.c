/* See access.h. */
#include "server/http/access.h"

#include <string.h>

#include "base/addr.h"
#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/http/request.h"
#include "server/http/trace.h"
#include "server/operations/metrics.h"
#include "server/operations/security_log.h"

/* The operation, or a description of a request that has none. */
static const char *operation_of(const struct srv_http_request *request)
{
    if (request->api.route)
        return request->api.route->id;
    return request->no_route ? request->no_route : "none";
}

/* The method if it is a known one; clients can send any. */
static const char *method_of(const struct srv_http_request *request)
{
    static const char *const known[] = {"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"};
    for (size_t i = 0; request->method && i < ARRAY_LEN(known); i++)
        if (strcmp(request->method, known[i]) == 0)
            return known[i];
    return "other";
}

static bool is_read(const struct srv_http_request *request)
{
    const char *method = method_of(request);
    return strcmp(method, "GET") == 0 || strcmp(method, "HEAD") == 0 || strcmp(method, "OPTIONS") == 0;
}

static bool is_wanted(struct srv_http_request *request)
{
    struct srv_http_loop *loop = request->loop;
    const struct srv_http *http = loop->http;
    bool well = request->status >= 200 && request->status < 400;
    if (http->log_lines == 0)
        return false;
    if (well && is_read(request) && (http->log_reads == 0 || loop->access.reads++ % http->log_reads != 0))
        return false;
    if (log_budget_take(&loop->access.budget, http->log_lines, clock_mono_ms()))
        return true;
    srv_metric_add(METRIC_LOG_DROPPED, 1);
    return false;
}

static void log_security(const struct srv_http_request *request, const char *operation, const char *network)
{
    const struct api_request *api = &request->api;
    bool done = request->status >= 200 && request->status < 300;
    enum api_security what = request->problem != API_OK ? api_security_of_code(request->problem)
                             : done                     ? api_security_of_operation(operation)
                                                        : API_SECURITY_NONE;
    if (what == API_SECURITY_NONE)
        return;
    int64_t account = api->player_id;
    if (account == 0 && api->route && strstr(api->route->path, "/players/{player}"))
        (void)text_i64(api->params[0], 1, INT64_MAX, &account); /* the account an operator acted on */
    srv_security_log(&(struct srv_security){
        .what = what,
        .trace_id = api->trace_id,
        .operation = operation,
        .network = network,
        .code = request->problem != API_OK ? api_code_name(request->problem) : NULL,
        .account = account,
    });
}

static bool is_login(const struct srv_http_request *request)
{
    static const char *const ids[] = {"login", "loginFactor", "loginWithPasskey", "finishSignIn"};
    const struct api_route *route = request->api.route;
    for (size_t i = 0; route && route->role == API_ANYONE && i < ARRAY_LEN(ids); i++)
        if (strcmp(route->id, ids[i]) == 0)
            return true;
    return false;
}

static enum srv_metric login_outcome(const struct srv_http_request *request)
{
    switch (request->problem) {
    case API_SECOND_FACTOR_NEEDED:
        return METRIC_LOGIN_FACTOR_ASKED;
    case API_ACCOUNT_LOCKED:
    case API_ADDRESS_LOCKED:
        return METRIC_LOGIN_LOCKED;
    default:
        break;
    }
    switch (request->status) {
    case 401:
    case 403:
    case 409: /* an address that already has an account */
    case 410: /* an expired flow */
        return METRIC_LOGIN_REFUSED;
    case 429:
        return METRIC_LOGIN_LIMITED;
    default:
        return request->status < 300   ? METRIC_LOGIN_OK
               : request->status < 500 ? METRIC_LOGIN_INVALID
                                       : METRIC_LOGIN_FAILED;
    }
}

void srv_access_note(struct srv_http_request *request)
{
    const struct api_request *api = &request->api;
    const char *operation = operation_of(request);
    char network[ADDR_TEXT_MAX];
    addr_network_text(api->address, network);
    log_security(request, operation, network);
    srv_http_trace_end(request);
    if (is_login(request))
        srv_metric_add(login_outcome(request), 1);
    if (!is_wanted(request))
        return;
    size_t bytes = strcmp(method_of(request), "HEAD") == 0 ? 0 : request->bytes;
    log_info("request", LOG_TEXT("trace_id", api->trace_id), LOG_TEXT("operation", operation),
             LOG_TEXT("method", method_of(request)), LOG_NUM("status", request->status),
             LOG_TEXT("code", request->problem != API_OK ? api_code_name(request->problem) : ""),
             LOG_NUM("ms", (clock_mono_ns() - request->began_ns) / 1000000), LOG_NUM("bytes", bytes),
             LOG_TEXT("network", network), LOG_NUM("account", api->player_id));
}

void srv_access_sweep(struct srv_http_loop *loop)
{
    int64_t dropped = log_budget_dropped(&loop->access.budget);
    if (dropped > 0)
        log_warn("request_lines_dropped", LOG_NUM("lines", dropped));
    if (loop->first)
        srv_security_log_sweep();
}
