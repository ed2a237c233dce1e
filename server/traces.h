/* Traces in the wire format of OpenTelemetry, if a collector is named (otlp_endpoint): a span of each REST
 * request goes to it as OTLP over HTTP in JSON, once a second, from a thread of its own. What does not fit
 * into the queue is dropped and counted. No addresses, accounts or paths: operations only. */
#ifndef RUMMYD_SERVER_TRACES_H
#define RUMMYD_SERVER_TRACES_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TRACES_WAITING_MAX = 4096, /* spans */
    TRACES_BATCH_MAX = 256,    /* of one message */
    TRACES_TIMEOUT_MS = 2000,  /* of one message */
};

/* Where a request stands in a trace (W3C Trace Context): hexadecimal digits. */
struct srv_trace {
    char id[33];
    char parent[17]; /* the caller's span; empty: none */
    char span[17];   /* ours; empty: the caller wants no span of this */
};

/* Texts are literals, or as good. */
struct srv_span {
    struct srv_trace trace;
    const char *method, *route, *operation;
    const char *code; /* of a problem; NULL: it was none */
    unsigned status;  /* 0: the connection ended first */
    int64_t end_ms;   /* of the wall clock */
    int64_t took_ns;
};

struct srv_traces;
/* endpoint: "http://host:4318", to which /v1/traces is added. Texts are copied. NULL: no memory or thread. */
struct srv_traces *srv_traces_start(const char *endpoint, const char *node);
/* Any thread. Never waits for the collector. */
void srv_traces_put(struct srv_traces *traces, const struct srv_span *span);
/* Sends what is left, if somebody takes it, and frees it. After all who put. NULL is fine. */
void srv_traces_stop(struct srv_traces *traces);

#endif
