/* One HTTP request to another server over libcurl: bounded in time and size, no redirects followed, repeated
 * while nobody answers where that is safe, given up when the process stops. Waits for the network: on a
 * worker or a thread of its own. */
#ifndef RUMMYD_NET_FETCH_H
#define RUMMYD_NET_FETCH_H

#include "base/buf.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    NET_BODY_MAX = 1024 * 1024, /* bytes of an answer */
    NET_PAUSE_MS = 200,         /* before the second try, twice that before the third */
    NET_TRIES_MAX = 3,          /* of one request that gets no answer */
    NET_FORM_MAX = 4096,
    NET_RETRY_S_MAX = 3600, /* so long at most another server's Retry-After counts */
    NET_WHY_MAX = 160,
    NET_TRACE_MAX = 64,    /* bytes of a traceparent, with the NUL */
    NET_BEARER_MAX = 2049, /* bytes of an access token, with the NUL */
};

/* How requests are made. Constant after the start. */
struct net_client {
    int64_t timeout_ms;      /* of one try */
    const atomic_bool *stop; /* gives up what is on its way; NULL: never */
};

struct net_fetch {
    const char *url;
    const char *bearer; /* goes into Authorization; NULL: user and password do, if there are any */
    const char *user, *password;
    const char *form;           /* POST of application/x-www-form-urlencoded; NULL: it is none */
    const char *json;           /* POST of application/json; both NULL: GET */
    const char *const *headers; /* further ones, "Name: value", NULL behind the last; may be NULL */
    bool once;                  /* is not safe to repeat */
};

struct net_fetched {
    long status; /* 0: no answer */
    char *body;  /* with a NUL behind it; net_fetch_free */
    size_t len;
    int64_t retry_s;       /* Retry-After: when to ask again; 0: not said, NET_RETRY_S_MAX at most */
    char why[NET_WHY_MAX]; /* when there is no answer */
};

/* Asks until the answer is neither missing nor one of 409, 429, 5xx; NET_TRIES_MAX times at most. A server
 * that says when to come back is not asked before: the caller returns later. false: no answer at all. */
bool net_fetch_run(const struct net_client *client, const struct net_fetch *fetch, struct net_fetched *out);
void net_fetch_free(struct net_fetched *fetched);
/* What this thread asks from here on bears this traceparent (W3C, copied; NULL: none). */
void net_fetch_trace(const char *traceparent);

/* Adds "name=value" to a form, the value percent-encoded. */
void net_fetch_form(struct buf *form, const char *name, const char *value);
void net_fetch_form_int(struct buf *form, const char *name, int64_t value);
/* Adds a text percent-encoded. */
void net_fetch_encode(struct buf *out, const char *text);

/* Once, on the main thread, before any other starts. */
bool net_start(void);

#endif
