/* One HTTP request to another server with libcurl: limited in time and size, without following redirects.
 * It is retried if there is no response and a retry is safe, and aborted when the process stops. It blocks
 * on the network, so call it on a worker or a separate thread. */
#ifndef RUMMYD_NET_FETCH_H
#define RUMMYD_NET_FETCH_H

#include "base/buf.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_BODY_MAX = 1024 * 1024, /* maximum bytes of a response */
    NET_PAUSE_MS = 200,         /* before the second attempt; twice that before the third */
    NET_TRIES_MAX = 3,          /* attempts per request */
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
    const atomic_bool *stop; /* aborts a pending request; NULL: never */
};

struct net_fetch {
    const char *url;
    const char *bearer; /* for Authorization; NULL: user and password are used, if set */
    const char *user, *password;
    const char *form;           /* POST of application/x-www-form-urlencoded; NULL: not a form */
    const char *json;           /* POST of application/json; both NULL: GET */
    const char *const *headers; /* additional headers, "Name: value", ending with NULL; may be NULL */
    bool once;                  /* not safe to retry */
};

struct net_fetched {
    long status; /* 0: no response */
    char *body;  /* NUL-terminated; free with net_fetch_free */
    size_t len;
    int64_t retry_s;       /* Retry-After: when to retry; 0: not set, at most NET_RETRY_S_MAX */
    char why[NET_WHY_MAX]; /* the reason if there is no response */
};

/* Retries up to NET_TRIES_MAX attempts if there is no response, or on 409, 429, or 5xx. If a 429 or 5xx
 * specifies when to retry, the server is not called earlier for any request, and the caller must retry
 * later. false: no response. */
bool net_fetch_run(const struct net_client *client, const struct net_fetch *fetch, struct net_fetched *out);
void net_fetch_free(struct net_fetched *fetched);
/* Requests of this thread will carry this traceparent (W3C, copied; NULL: none). */
void net_fetch_trace(const char *traceparent);

/* Adds "name=value" to a form, with the value percent-encoded. */
void net_fetch_form(struct buf *form, const char *name, const char *value);
void net_fetch_form_int(struct buf *form, const char *name, int64_t value);
/* Appends the text, percent-encoded. */
void net_fetch_encode(struct buf *out, const char *text);

/* Call once, on the main thread, before other threads start. */
bool net_start(void);

#endif
