/* Traces in the wire format of OpenTelemetry, if a collector is configured (otlp_endpoint). Once per
 * second, a separate thread sends a span for each REST request, as OTLP over HTTP in JSON. Spans that do
 * not fit into the queue are dropped and counted. Spans name operations, but no addresses, accounts, or
 * paths. */
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
    char span[17];   /* this server's span; empty: the caller does not sample this trace */
};

/* Strings are literals or outlive the span. */
struct srv_span {
    struct srv_trace trace;
    const char *method, *route, *operation;
    const char *code; /* problem code; NULL: none */
    unsigned status;  /* 0: the connection ended first */
    int64_t end_ms;   /* wall clock */
    int64_t took_ns;
};

struct srv_traces;
/* endpoint: "http://host:4318", to which /v1/traces is added. Copies the strings. NULL: no memory or
 * thread. */
struct srv_traces *srv_traces_start(const char *endpoint, const char *node);
/* Any thread. Never waits for the collector. */
void srv_traces_put(struct srv_traces *traces, const struct srv_span *span);
/* Sends the remaining spans, if the collector accepts them, and frees the memory. Call after the last
 * srv_traces_put. Accepts NULL. */
void srv_traces_stop(struct srv_traces *traces);

#endif
