/* One HTTP request to another server with libcurl: limited in time and size, no redirects followed, retried
 * without an answer if that is safe, given up when the process stops. Waits for the network: call it on a
 * worker or a separate thread. */
#ifndef RUMMYD_NET_FETCH_H
#define RUMMYD_NET_FETCH_H

#include "base/buf.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_BODY_MAX = 1024 * 1024, /* bytes of a response */
    NET_PAUSE_MS = 200,         /* before the second attempt, twice that before the third */
    NET_TRIES_MAX = 3,          /* of one request without an answer */
    NET_FORM_MAX = 4096,
    NET_RETRY_S_MAX = 3600, /* upper limit for another server's Retry-After */
    NET_WAITS_MAX = 16,     /* servers whose Retry-After is remembered */
    NET_WHY_MAX = 160,
    NET_TRACE_MAX = 64,    /* bytes of a traceparent, including the NUL */
    NET_BEARER_MAX = 2049, /* bytes of an access token, including the NUL */
};

/* How requests are made. Constant after startup. */
struct net_client {
    int64_t timeout_ms;      /* per attempt */
    const atomic_bool *stop; /* gives up a pending request; NULL: never */
};

struct net_fetch {
    const char *url;
    const char *bearer; /* for Authorization; NULL: user and password are used, if set */
    const char *user, *password;
    const char *form;           /* POST of application/x-www-form-urlencoded; NULL: not a form */
    const char *json;           /* POST of application/json; both NULL: GET */
    const char *const *headers; /* additional ones, "Name: value", NULL after the last; may be NULL */
    bool once;                  /* not safe to repeat */
};

struct net_fetched {
    long status; /* 0: no response */
    char *body;  /* NUL-terminated; net_fetch_free */
    size_t len;
    int64_t retry_s;       /* Retry-After: when to retry; 0: not set, at most NET_RETRY_S_MAX */
    char why[NET_WHY_MAX]; /* if there is no response */
};

/* Retries while there is no response, or one of 409, 429, 5xx; at most NET_TRIES_MAX times. If a 429 or 5xx
 * specifies when to retry, the server is not called earlier, for this request or any other: the caller tries
 * again later. false: no response at all. */
bool net_fetch_run(const struct net_client *client, const struct net_fetch *fetch, struct net_fetched *out);
void net_fetch_free(struct net_fetched *fetched);
/* Requests of this thread carry this traceparent from now on (W3C, copied; NULL: none). */
void net_fetch_trace(const char *traceparent);

/* Adds "name=value" to a form, the value percent-encoded. */
void net_fetch_form(struct buf *form, const char *name, const char *value);
void net_fetch_form_int(struct buf *form, const char *name, int64_t value);
/* Appends a percent-encoded text. */
void net_fetch_encode(struct buf *out, const char *text);

/* Call once, on the main thread, before other threads start. */
bool net_start(void);

#endif
