/* Traces in the wire format of OpenTelemetry, if a collector is configured (otlp_endpoint): a separate thread
 * sends a span of each REST request once per second, as OTLP over HTTP in JSON. Spans that do not fit into
 * the queue are dropped and counted. No addresses, accounts, or paths: only operations. */
#ifndef RUMMYD_SERVER_TRACES_H
#define RUMMYD_SERVER_TRACES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TRACES_WAITING_MAX = 4096, /* spans */
    TRACES_BATCH_MAX = 256,    /* per message */
    TRACES_TIMEOUT_MS = 2000,  /* per message */
};

/* A request's position in a trace (W3C Trace Context): hexadecimal digits. */
struct srv_trace {
    char id[33];
    char parent[17]; /* the caller's span; empty: none */
    char span[17];   /* ours; empty: the caller does not sample this trace */
};

/* Texts are literals or live as long. */
struct srv_span {
    struct srv_trace trace;
    const char *method, *route, *operation;
    const char *code; /* of a problem; NULL: none */
    unsigned status;  /* 0: the connection ended first */
    int64_t end_ms;   /* wall clock */
    int64_t took_ns;
};

struct srv_traces;
/* endpoint: "http://host:4318", to which /v1/traces is added. Texts are copied. NULL: no memory or thread. */
struct srv_traces *srv_traces_start(const char *endpoint, const char *node);
/* Any thread. Never waits for the collector. */
void srv_traces_put(struct srv_traces *traces, const struct srv_span *span);
/* Sends the remaining spans, if the collector accepts them, and frees it. Call after all putters have ended.
 * NULL is fine. */
void srv_traces_stop(struct srv_traces *traces);

#endif
