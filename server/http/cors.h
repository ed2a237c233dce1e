/* Cross-origin requests: the only list of the request headers that pages from other origins may send and the
 * response headers that they may read. Headers that browsers send without a preflight (Accept, Range) need
 * no entry. Allowing a header is harmless, because most are ignored. Compile-time constants. */
#ifndef RUMMYD_SERVER_HTTP_CORS_H
#define RUMMYD_SERVER_HTTP_CORS_H

/* Headers that this server reads, that HTTP clients set by default, and that tracing libraries add to every
 * request: W3C, Zipkin (b3), Jaeger, Sentry, Datadog, New Relic, Elastic, AWS, Google Cloud, Azure. */
#define CORS_REQUEST_HEADERS                                                                                 \
    "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer, "                        \
    "Accept, Accept-Language, Cache-Control, Pragma, If-Modified-Since, If-Unmodified-Since, Range, "        \
    "User-Agent, X-Requested-With, X-CSRF-Token, X-XSRF-Token, "                                             \
    "X-Request-Id, X-Correlation-Id, traceparent, tracestate, baggage, "                                     \
    "b3, X-B3-TraceId, X-B3-SpanId, X-B3-ParentSpanId, X-B3-Sampled, X-B3-Flags, "                           \
    "uber-trace-id, sentry-trace, newrelic, elastic-apm-traceparent, "                                       \
    "X-Datadog-Trace-Id, X-Datadog-Parent-Id, X-Datadog-Origin, X-Datadog-Sampling-Priority, "               \
    "X-Datadog-Tags, X-Amzn-Trace-Id, X-Cloud-Trace-Context, Request-Id, Request-Context"

/* Headers that clients use and that browsers hide by default. */
#define CORS_RESPONSE_HEADERS                                                                                \
    "Accept-Patch, Allow, Content-Disposition, Content-Encoding, Date, Deprecation, ETag, "                  \
    "Idempotency-Replayed, Link, Location, RateLimit, RateLimit-Policy, Retry-After, Sunset, Vary, "         \
    "WWW-Authenticate, X-Request-Id, X-Trace-Id"

#define CORS_PREFLIGHT_S "600" /* how long a browser may cache the preflight */

#endif
