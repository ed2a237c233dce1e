/* See traces.h. The thread sends all queued spans, one batch at a time. If a batch is not accepted, the
 * thread pauses until the next second, so that an unreachable collector costs one attempt per second. */
#include "server/operations/traces.h"

#include "base/buf.h"
#include "base/bug.h"
#include "base/log.h"
#include "base/ring.h"
#include "base/ticker.h"
#include "net/fetch.h"
#include "server/operations/metrics.h"
#include "server/version.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    SPAN_BYTES_MAX = 1536,
    MESSAGE_BYTES_MAX = TRACES_BATCH_MAX * SPAN_BYTES_MAX + 4096,
    SPAN_KIND_SERVER = 2,  /* of OTLP */
    STATUS_CODE_ERROR = 2, /* too */
};

struct srv_traces {
    char *url, *node;
    struct ring waiting;
    struct ticker *ticker;
    bool failing; /* the last batch was not accepted */
    char message[MESSAGE_BYTES_MAX];
};

static void put_text(struct buf *out, const char *key, const char *value)
{
    json_open(out, '{');
    json_kv_text(out, "key", key);
    json_key(out, "value");
    json_open(out, '{');
    json_kv_text(out, "stringValue", value);
    json_close(out, '}');
    json_close(out, '}');
}

/* OTLP's JSON uses strings for 64-bit numbers. */
static void put_number(struct buf *out, const char *key, int64_t value)
{
    json_open(out, '{');
    json_kv_text(out, "key", key);
    json_key(out, "value");
    json_open(out, '{');
    json_key(out, "intValue");
    buf_fmt(out, "\"%lld\"", (long long)value);
    json_close(out, '}');
    json_close(out, '}');
}

static void put_span(struct buf *out, const struct srv_span *span)
{
    int64_t end_ns = span->end_ms * 1000000;
    char name[128];
    (void)snprintf(name, sizeof(name), "%s %s", span->method, span->route);
    json_open(out, '{');
    json_kv_text(out, "traceId", span->trace.id);
    json_kv_text(out, "spanId", span->trace.span);
    if (span->trace.parent[0])
        json_kv_text(out, "parentSpanId", span->trace.parent);
    json_kv_text(out, "name", name);
    json_kv_num(out, "kind", SPAN_KIND_SERVER);
    json_key(out, "startTimeUnixNano");
    buf_fmt(out, "\"%lld\"", (long long)(end_ns - span->took_ns));
    json_key(out, "endTimeUnixNano");
    buf_fmt(out, "\"%lld\"", (long long)end_ns);
    json_key(out, "attributes");
    json_open(out, '[');
    put_text(out, "http.request.method", span->method);
    put_text(out, "http.route", span->route);
    put_text(out, "rummyd.operation", span->operation);
    if (span->status > 0)
        put_number(out, "http.response.status_code", span->status);
    if (span->code)
        put_text(out, "error.type", span->code);
    json_close(out, ']');
    json_key(out, "status");
    json_open(out, '{');
    if (span->status == 0 || span->status >= 500)
        json_kv_num(out, "code", STATUS_CODE_ERROR);
    json_close(out, '}');
    json_close(out, '}');
}

static void write_message(struct buf *out, const struct srv_traces *traces, struct srv_span *const *spans,
                          size_t n)
{
    json_open(out, '{');
    json_key(out, "resourceSpans");
    json_open(out, '[');
    json_open(out, '{');
    json_key(out, "resource");
    json_open(out, '{');
    json_key(out, "attributes");
    json_open(out, '[');
    put_text(out, "service.name", "rummyd");
    put_text(out, "service.version", srv_version);
    put_text(out, "service.instance.id", traces->node);
    json_close(out, ']');
    json_close(out, '}');
    json_key(out, "scopeSpans");
    json_open(out, '[');
    json_open(out, '{');
    json_key(out, "scope");
    json_open(out, '{');
    json_kv_text(out, "name", "rummyd.rest");
    json_close(out, '}');
    json_key(out, "spans");
    json_open(out, '[');
    for (size_t i = 0; i < n; i++)
        put_span(out, spans[i]);
    json_close(out, ']');
    json_close(out, '}');
    json_close(out, ']');
    json_close(out, '}');
    json_close(out, ']');
    json_close(out, '}');
    buf_put(out, "", 1);
    ASSERT(!out->full);
}

/* Sends the message; returns whether the collector accepted it. */
static bool post(struct srv_traces *traces)
{
    const struct net_client client = {.timeout_ms = TRACES_TIMEOUT_MS};
    const struct net_fetch fetch = {.url = traces->url, .json = traces->message, .once = true};
    struct net_fetched answer;
    bool taken = net_fetch_run(&client, &fetch, &answer) && answer.status >= 200 && answer.status < 300;
    if (!taken && !traces->failing)
        log_warn("traces_not_taken", LOG_NUM("status", answer.status), LOG_TEXT("why", answer.why));
    else if (taken && traces->failing)
        log_info("traces_taken_again");
    traces->failing = !taken;
    net_fetch_free(&answer);
    return taken;
}

static void send_all(struct ticker *ticker, void *arg)
{
    (void)ticker;
    struct srv_traces *traces = arg;
    void *items[TRACES_BATCH_MAX];
    struct srv_span *spans[TRACES_BATCH_MAX];
    size_t n;
    bool taken = true;
    while (taken && (n = ring_take(&traces->waiting, items, TRACES_BATCH_MAX)) > 0) {
        for (size_t i = 0; i < n; i++)
            spans[i] = items[i];
        struct buf out = buf_on(traces->message, sizeof(traces->message));
        write_message(&out, traces, spans, n);
        taken = post(traces);
        srv_metric_add(taken ? METRIC_SPANS_SENT : METRIC_SPANS_NOT_TAKEN, (int64_t)n);
        for (size_t i = 0; i < n; i++)
            free(spans[i]);
    }
}

void srv_traces_put(struct srv_traces *traces, const struct srv_span *span)
{
    struct srv_span *copy = malloc(sizeof(*copy));
    if (copy)
        *copy = *span;
    if (copy && ring_push(&traces->waiting, copy))
        return;
    free(copy);
    srv_metric_add(METRIC_SPANS_DROPPED, 1);
}

static void free_traces(struct srv_traces *traces)
{
    void *item;
    while (traces->waiting.slots && ring_take(&traces->waiting, &item, 1) > 0)
        free(item);
    ring_free(&traces->waiting);
    free(traces->url);
    free(traces->node);
    free(traces);
}

struct srv_traces *srv_traces_start(const char *endpoint, const char *node)
{
    static const char path[] = "/v1/traces";
    struct srv_traces *traces = calloc(1, sizeof(*traces));
    if (!traces)
        return NULL;
    size_t len = strlen(endpoint) + sizeof(path);
    traces->url = malloc(len);
    traces->node = strdup(node);
    if (traces->url && traces->node && ring_init(&traces->waiting, TRACES_WAITING_MAX) == 0) {
        (void)snprintf(traces->url, len, "%s%s", endpoint, path);
        traces->ticker = ticker_start("traces", 1000, send_all, traces);
    }
    if (!traces->ticker) {
        free_traces(traces);
        return NULL;
    }
    return traces;
}

void srv_traces_stop(struct srv_traces *traces)
{
    if (!traces)
        return;
    ticker_stop(traces->ticker);
    send_all(NULL, traces);
    free_traces(traces);
}
